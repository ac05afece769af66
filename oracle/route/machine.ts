import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { RouteInputs, RouteStep, RouteValue, RouteVariables } from './variables.ts';

const tableNames = ['packet'] as const;
export type RouteTable = (typeof tableNames)[number];

/** The machine of what paths ask of IP headers, and its table. */
export interface RouteRules {
  readonly machine: TypedMachine<RouteVariables, RouteInputs, RouteStep, RouteValue>;
  readonly tables: MachineTables<RouteTable, RouteVariables, RouteInputs>;
}

/** RangeError if the rules lack one of them. */
export function routeRules(rules: RuleSet): RouteRules {
  const machine: RouteRules['machine'] = machineOf(rules, 'route');
  return { machine, tables: new MachineTables(rules, machine, tableNames, 'route-') };
}
