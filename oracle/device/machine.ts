import type { Ledger } from '../rulebook/ledger.ts';
import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import { DeviceVariables } from './variables.ts';
import type { DeviceInputs, DeviceStep, DeviceValue } from './variables.ts';

type DeviceMachine = TypedMachine<DeviceVariables, DeviceInputs, DeviceStep, DeviceValue>;
const tableNames = ['device-survival', 'frame-received', 'frame-sent'] as const;
type DeviceTable = (typeof tableNames)[number];

/** The machine of the device as a whole, and its tables. */
export interface DeviceRules {
  readonly machine: DeviceMachine;
  readonly tables: MachineTables<DeviceTable, DeviceVariables, DeviceInputs>;
}

/** The tables as one trace is held against them. */
export type DeviceBook = MachineBook<DeviceTable, DeviceVariables, DeviceInputs>;

/** RangeError if the rules lack one of them. */
export function deviceRules(rules: RuleSet): DeviceRules {
  const machine: DeviceMachine = machineOf(rules, 'device');
  return { machine, tables: new MachineTables(rules, machine, tableNames, '') };
}

export function deviceBook({ tables }: DeviceRules, ledger: Ledger): DeviceBook {
  return new MachineBook(tables, ledger, { qp: 'the device' });
}

/** A device that has been given nothing yet. */
export function newDevice({ machine }: DeviceRules): DeviceVariables {
  const device = new DeviceVariables();
  machine.start({}, device);
  return device;
}
