import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { CqEventInputs, CqEventStep, CqEventValue, CqEventVariables } from './variables.ts';

export type CqEventTable = 'cq-event' | 'cq-notice';

export interface CqEventRules {
  readonly machine: TypedMachine<CqEventVariables, CqEventInputs, CqEventStep, CqEventValue>;
  readonly tables: MachineTables<CqEventTable, CqEventVariables, CqEventInputs>;
}

/** The machine of completion events, and its tables. RangeError if the rules lack one of them. */
export function cqEventRules(rules: RuleSet): CqEventRules {
  const machine: CqEventRules['machine'] = machineOf(rules, 'cq-event');
  return { machine, tables: new MachineTables(rules, machine, ['cq-event', 'cq-notice'], 'verbs-') };
}
