// The agent as it runs in a guest: node agent.mjs PORT DEVICE, on a machine that belongs to it.
import { execFileSync } from 'node:child_process';
import { release } from 'node:os';
import { VerbsDevice } from '../verbs/device/device.ts';
import { machineCalls, setAddress } from './machine.ts';
import { openPort } from './port.ts';
import { serve } from './serve.ts';

const [port, name] = process.argv.slice(2);
if (port === undefined || name === undefined) throw new Error('usage: agent PORT DEVICE');

setAddress(1);
execFileSync('/bin/rdma', ['link', 'add', name, 'type', 'rxe', 'netdev', 'eth0']);
const device = new VerbsDevice(name);
const powerOff = (): void => void execFileSync('/bin/busybox', ['poweroff', '-f']);
const link = openPort(port, (line) => answer(line), powerOff);
const answer = serve({
  device,
  kernel: release(),
  machine: machineCalls(() => device.info()),
  put: (line) => link.put(line),
});
console.log('agent ready');
