import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { OutageInputs, OutageStep, OutageValue, OutageVariables } from './variables.ts';

const tableNames = ['completion', 'departure', 'rest'] as const;
export type OutageTable = (typeof tableNames)[number];

/** The machine of requesters that had something to send without a link, and its tables. */
export interface OutageRules {
  readonly machine: TypedMachine<OutageVariables, OutageInputs, OutageStep, OutageValue>;
  readonly tables: MachineTables<OutageTable, OutageVariables, OutageInputs>;
}

/** RangeError if the rules lack one of them. */
export function outageRules(rules: RuleSet): OutageRules {
  const machine: OutageRules['machine'] = machineOf(rules, 'outage');
  return { machine, tables: new MachineTables(rules, machine, tableNames, 'rc-outage-') };
}
