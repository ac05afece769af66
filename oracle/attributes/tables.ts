import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { AttributesInputs, AttributesStep, AttributesValue, AttributesVariables } from './variables.ts';

const tableNames = [
  'qp-modify-transition',
  'qp-modify-attributes',
  'qp-modify-values',
  'qp-modify-refused',
  'qp-query',
  'device-query',
] as const;
export type AttributeTable = (typeof tableNames)[number];

/** The machine of QP attributes, and the tables of ibv_modify_qp, ibv_query_qp and ibv_query_device. */
export interface AttributeRules {
  readonly machine: TypedMachine<AttributesVariables, AttributesInputs, AttributesStep, AttributesValue>;
  readonly tables: MachineTables<AttributeTable, AttributesVariables, AttributesInputs>;
}

/** RangeError if the vocabulary lacks one of them. */
export function attributeRules(rules: RuleSet): AttributeRules {
  const machine: AttributeRules['machine'] = machineOf(rules, 'attributes');
  return { machine, tables: new MachineTables(rules, machine, tableNames, '') };
}

/** The table of that name, if it is one of them. */
export function attributeTable(name: string | undefined): AttributeTable | undefined {
  return tableNames.find((table) => table === name);
}
