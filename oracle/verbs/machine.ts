import { cqEventRules } from '../cq-event/machine.ts';
import type { CqEventRules } from '../cq-event/machine.ts';
import { cqRules } from '../cq/machine.ts';
import type { CqRules } from '../cq/machine.ts';
import { objectsRules } from '../objects/machine.ts';
import type { ObjectsRules } from '../objects/machine.ts';
import { portRules } from '../port/judge.ts';
import type { PortRules } from '../port/judge.ts';
import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import { srqRules } from '../srq/machine.ts';
import type { SrqRules } from '../srq/machine.ts';
import type { VerbsInputs, VerbsStep, VerbsValue, VerbsVariables } from './variables.ts';

const tableNames = [
  'post-send',
  'post-receive',
  'post-refused',
  'post-list',
  'status',
  'completion',
  'send-fault',
  'bind-domain',
  'flush',
  'state',
  'modify',
  'event',
  'event-object',
  'established',
  'drained',
  'last-wqe',
  'qp-fatal',
  'registration',
  'reregistration',
  'guard',
] as const;
export type VerbsTable = (typeof tableNames)[number];

/** The machines of all that verbs show, and their tables. */
export interface VerbsRules {
  readonly machine: TypedMachine<VerbsVariables, VerbsInputs, VerbsStep, VerbsValue>;
  readonly tables: MachineTables<VerbsTable, VerbsVariables, VerbsInputs>;
  readonly srq: SrqRules;
  readonly cq: CqRules;
  readonly cqEvents: CqEventRules;
  readonly objects: ObjectsRules;
  readonly port: PortRules;
}

/** RangeError if the vocabulary lacks one of the tables. */
export function verbsRules(rules: RuleSet): VerbsRules {
  const machine: VerbsRules['machine'] = machineOf(rules, 'verbs');
  const tables = new MachineTables(rules, machine, tableNames, 'verbs-');
  return {
    machine,
    tables,
    srq: srqRules(rules),
    cq: cqRules(rules),
    cqEvents: cqEventRules(rules),
    objects: objectsRules(rules),
    port: portRules(rules),
  };
}
