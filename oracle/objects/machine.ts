import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { ObjectsInputs, ObjectsStep, ObjectsValue, ObjectsVariables } from './variables.ts';

export type ObjectsTable = 'room' | 'number' | 'destroy' | 'destroyed';

export interface ObjectsRules {
  readonly machine: TypedMachine<ObjectsVariables, ObjectsInputs, ObjectsStep, ObjectsValue>;
  readonly tables: MachineTables<ObjectsTable, ObjectsVariables, ObjectsInputs>;
}

/** The machine of the objects that software makes, and its tables. RangeError if the rules lack one of them. */
export function objectsRules(rules: RuleSet): ObjectsRules {
  const machine: ObjectsRules['machine'] = machineOf(rules, 'objects');
  return {
    machine,
    tables: new MachineTables(rules, machine, ['room', 'number', 'destroy', 'destroyed'], 'verbs-'),
  };
}
