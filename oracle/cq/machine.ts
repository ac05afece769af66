import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { CqInputs, CqStep, CqValue, CqVariables } from './variables.ts';

export type CqTable = 'cq-error' | 'cq-lost' | 'cq-resize';

export interface CqRules {
  readonly machine: TypedMachine<CqVariables, CqInputs, CqStep, CqValue>;
  readonly tables: MachineTables<CqTable, CqVariables, CqInputs>;
}

/** The machine of CQs, and its tables. RangeError if the rules lack one of them. */
export function cqRules(rules: RuleSet): CqRules {
  const machine: CqRules['machine'] = machineOf(rules, 'cq');
  return {
    machine,
    tables: new MachineTables(rules, machine, ['cq-error', 'cq-lost', 'cq-resize'], 'verbs-'),
  };
}
