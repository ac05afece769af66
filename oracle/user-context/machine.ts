import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type {
  UserContextInputs,
  UserContextStep,
  UserContextValue,
  UserContextVariables,
} from './variables.ts';

const tableNames = ['context-event', 'context-copy'] as const;
export type UserContextTable = (typeof tableNames)[number];

/** The machine of what user contexts receive, and its tables. */
export interface UserContextRules {
  readonly machine: TypedMachine<UserContextVariables, UserContextInputs, UserContextStep, UserContextValue>;
  readonly tables: MachineTables<UserContextTable, UserContextVariables, UserContextInputs>;
}

/** RangeError if the rules lack one of them. */
export function userContextRules(rules: RuleSet): UserContextRules {
  const machine: UserContextRules['machine'] = machineOf(rules, 'user-context');
  return { machine, tables: new MachineTables(rules, machine, tableNames, 'verbs-') };
}
