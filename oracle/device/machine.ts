import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTable } from '../rulebook/machine-table.ts';
import type { RuleSet } from '../rules.ts';
import { DeviceVariables } from './variables.ts';
import type { DeviceInputs, DeviceStep, DeviceValue } from './variables.ts';

type DeviceMachine = TypedMachine<DeviceVariables, DeviceInputs, DeviceStep, DeviceValue>;
type DeviceTable = MachineTable<DeviceVariables, DeviceInputs>;

/** The machine of the device as a whole, and its tables. */
export interface DeviceRules {
  machine: DeviceMachine;
  survival: DeviceTable;
  frameReceived: DeviceTable;
  frameSent: DeviceTable;
}

/** RangeError if the rules lack one of them. */
export function deviceRules(rules: RuleSet): DeviceRules {
  const machine: DeviceMachine = machineOf(rules, 'device');
  const table = (id: string): DeviceTable => new MachineTable(rules, machine, id);
  return {
    machine,
    survival: table('device-survival'),
    frameReceived: table('frame-received'),
    frameSent: table('frame-sent'),
  };
}

/** A device that has been given nothing yet. */
export function newDevice({ machine }: DeviceRules): DeviceVariables {
  const device = new DeviceVariables();
  machine.start({}, device);
  return device;
}
