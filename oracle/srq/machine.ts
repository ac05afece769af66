import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { SrqInputs, SrqStep, SrqValue, SrqVariables } from './variables.ts';

export type SrqTable = 'post-shared-receive' | 'srq-limit' | 'srq-query' | 'modify-srq' | 'srq-lost';

export interface SrqRules {
  readonly machine: TypedMachine<SrqVariables, SrqInputs, SrqStep, SrqValue>;
  readonly tables: MachineTables<SrqTable, SrqVariables, SrqInputs>;
}

/** The machine of SRQs, and its tables. RangeError if the rules lack one of them. */
export function srqRules(rules: RuleSet): SrqRules {
  const machine: SrqRules['machine'] = machineOf(rules, 'srq');
  const names: readonly SrqTable[] = [
    'post-shared-receive',
    'srq-limit',
    'srq-query',
    'modify-srq',
    'srq-lost',
  ];
  return { machine, tables: new MachineTables(rules, machine, names, 'verbs-') };
}
