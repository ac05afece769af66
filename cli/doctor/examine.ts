import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { VerbsError } from '../../adapters/adapter.ts';
import { guestHindrance, kernels } from '../../adapters/rxe/index.ts';
import { hostHindrance } from '../../adapters/rxe/host.ts';
import { loadLibibverbs } from '../../adapters/verbs/ffi.ts';
import { deviceNames } from '../../adapters/verbs/device/open.ts';
import { messageOf } from '../exit-codes.ts';
import type { Finding } from './finding.ts';

function usable(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program is on the PATH. */
export function hasProgram(name: string, path: string = process.env['PATH'] ?? ''): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && usable(join(folder, name), constants.X_OK));
}

/** CAP_NET_RAW of this process, on Linux. */
function mayOpenPacketSockets(): boolean {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const bits = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return bits !== undefined && ((BigInt(`0x${bits}`) >> 13n) & 1n) === 1n;
}

const reference: Finding = {
  name: 'reference',
  state: 'ready',
  says: 'the reference NIC, in this process',
  remedies: [],
};

async function rxe(): Promise<Finding> {
  const host = await hostHindrance();
  const name = 'rxe';
  if (host === undefined)
    return { name, state: 'ready', says: "this host's own rdma_rxe, on a TAP interface", remedies: [] };
  const [kernel] = kernels;
  const guest = guestHindrance(kernel);
  if (guest === undefined) {
    const slow = usable('/dev/kvm', constants.R_OK | constants.W_OK) ? '' : ', without KVM, so slowly';
    return {
      name,
      state: 'ready',
      says: `in a guest that a run boots${slow}; this host itself has none: ${host}`,
      remedies: [],
    };
  }
  return {
    name,
    state: 'missing',
    says: `neither on this host (${host}) nor, for now, in a guest (${guest})`,
    remedies: [
      'a run fetches what it lacks by "apt-get download", where apt knows its packages: apt-get update',
      'or, as root: apt-get install qemu-system-x86 busybox-static kmod libibverbs1 ibverbs-providers',
    ],
  };
}

function verbs(): Finding {
  const name = 'verbs:DEVICE';
  const missing = (says: string, ...remedies: string[]): Finding => ({
    name,
    state: 'missing',
    says,
    remedies,
  });
  if (process.platform !== 'linux')
    return missing(`libibverbs is a library of Linux, this is ${process.platform}`);
  let names: string[];
  try {
    names = deviceNames(loadLibibverbs());
  } catch (thrown) {
    if (thrown instanceof VerbsError)
      return missing(
        `this kernel offers no RDMA devices (errno ${thrown.errno})`,
        "load the device's driver and ib_uverbs: modprobe ib_uverbs",
      );
    return missing(
      `libibverbs does not load: ${messageOf(thrown)}`,
      'apt-get install libibverbs1 ibverbs-providers',
    );
  }
  if (names.length === 0)
    return missing(
      'libibverbs lists no device',
      "load the device's driver (ConnectX: mlx5_ib), and install its provider: apt-get install ibverbs-providers",
      'software RoCE on an interface: rdma link add rxe0 type rxe netdev IF',
    );
  const folder = '/dev/infiniband';
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.startsWith('uverbs')) : [];
  const open = files.some((file) => usable(join(folder, file), constants.R_OK | constants.W_OK));
  const there = `devices: ${names.join(', ')}`;
  return open
    ? { name, state: 'ready', says: there, remedies: [] }
    : missing(`${there}; none of them may be opened`, `read and write rights on ${folder}/uverbs*`);
}

/** A device whose packets are seen: it takes a device, and the right to raw frames; `allowed` is the latter. */
export function withPackets(device: Finding, allowed: boolean): Finding {
  const name = 'verbs:DEVICE,netdev=IF';
  const frames = allowed
    ? 'this process may send and see raw frames'
    : 'this process may not open packet sockets';
  const remedies = allowed
    ? []
    : ['run as root, or give node the right: setcap cap_net_raw+ep "$(readlink -f "$(which node)")"'];
  if (device.state === 'ready') return { name, state: allowed ? 'ready' : 'missing', says: frames, remedies };
  const and = allowed ? 'otherwise' : 'and besides';
  return {
    name,
    state: 'missing',
    says: `takes ${device.name}, which is missing; ${and} ${frames}`,
    remedies,
  };
}

function programs(): Finding[] {
  const one = (name: string, program: string, says: string, without: string, remedy: string): Finding =>
    hasProgram(program)
      ? { name, state: 'ready', says, remedies: [] }
      : { name, state: 'partly', says: without, remedies: [remedy] };
  return [
    { name: 'stdio:COMMAND', state: 'ready', says: 'any program that speaks the protocol', remedies: [] },
    one(
      'stdio:ssh HOST ...',
      'ssh',
      'a device of another machine; try: ssh -o BatchMode=yes HOST rdma-conform doctor',
      'there is no ssh',
      'apt-get install openssh-client',
    ),
    one(
      'examples in Python',
      'python3',
      'rdma-conform init DIR --kind python (or c, cpp, verilog) begins one',
      'there is no python3',
      'apt-get install python3',
    ),
  ];
}

/** Every way to a device, and what keeps this machine from going it. Changes nothing, downloads nothing. */
export async function examine(): Promise<Finding[]> {
  const device = verbs();
  return [reference, await rxe(), device, withPackets(device, mayOpenPacketSockets()), ...programs()];
}
