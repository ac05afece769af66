import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { AdapterUnavailable } from '../adapter.ts';
import type { Clock, Verbs, Wire } from '../adapter.ts';
import { gidOfAddress } from '../../wire/index.ts';
import { addressCommands, spareAddress, spareIpv4 } from '../agent/machine.ts';
import { linkFollows } from '../port-follows.ts';
import { VerbsDevice } from '../verbs/device/device.ts';
import type { DeviceInfo } from '../verbs/device/info.ts';
import { localVerbs } from '../verbs/local.ts';
import { lookIn } from './packages.ts';
import { run } from './run.ts';
import { openTap } from './tap.ts';

const interfaceName = 'rdmaconform0';
const deviceName = 'rxe_conform';

/** Why this host's own rdma_rxe cannot be used, or `undefined`. */
export async function hostHindrance(): Promise<string | undefined> {
  if (!existsSync('/sys/module/rdma_rxe')) {
    const modprobe = lookIn(['/']).find('bin/modprobe');
    if (modprobe === undefined || (await run([modprobe, '-n', '-q', 'rdma_rxe'])).code !== 0)
      return 'this kernel has no rdma_rxe';
  }
  if (process.getuid?.() !== 0) return 'its rdma_rxe needs root';
  if (!existsSync('/dev/net/tun')) return 'there is no /dev/net/tun';
  const files = { iproute2: 'bin/rdma', libibverbs1: 'lib/x86_64-linux-gnu/libibverbs.so.1' };
  for (const [name, place] of Object.entries(files))
    if (lookIn(['/']).find(place) === undefined) return `Debian package ${name} is not installed`;
  return undefined;
}

async function must(argv: string[], input?: string): Promise<void> {
  const result = await run(argv, input === undefined ? {} : { input: Buffer.from(input) });
  if (result.code !== 0)
    throw new AdapterUnavailable(`rxe: ${argv.join(' ')} failed: ${result.stderr.trim()}`);
}

/** An rxe device of this host on a TAP interface of ours; both go when it is closed. */
export interface HostDevice {
  verbs: Verbs;
  wire: Wire;
  info: DeviceInfo;
  kernel: string;
  setLink(up: boolean): Promise<void>;
  setGid(present: boolean): Promise<string>;
  failure?(): Error | undefined;
  /** absent on the host itself, whose log is not ours */
  onLog?: (listener: (text: string, time: number) => void) => void;
  close(): Promise<void>;
}

/** Sets it up. Needs root and what `hostHindrance` asks for. */
export async function openHostDevice(clock: Clock): Promise<HostDevice> {
  if (!existsSync('/sys/module/rdma_rxe')) await must(['modprobe', 'rdma_rxe']);
  const tap = openTap(interfaceName, clock);
  try {
    const commands = addressCommands(1, interfaceName);
    await must(['ip', '-batch', '-'], `${commands.join('\n')}\n`);
    await must(['rdma', 'link', 'add', deviceName, 'type', 'rxe', 'netdev', interfaceName]);
    const device = new VerbsDevice(deviceName);
    return {
      verbs: localVerbs(device, clock),
      wire: tap,
      info: device.info(),
      kernel: release(),
      setLink: async (up) => {
        await tap.setCarrier(up);
        await run(['sh', '-c', linkFollows(interfaceName, up)]);
      },
      setGid: async (present) => {
        await must(['ip', ...spareAddress(present, interfaceName)]);
        return gidOfAddress(spareIpv4);
      },
      close: async () => {
        device.close();
        // before the interface goes: the kernel would wait for the device for ever
        await run(['rdma', 'link', 'del', deviceName]);
        tap.close();
      },
    };
  } catch (error) {
    await run(['rdma', 'link', 'del', deviceName]);
    tap.close();
    throw error;
  }
}
