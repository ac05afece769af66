import { gidOfAddress } from '../../wire/index.ts';
import { AdapterBroken, AdapterUnavailable } from '../adapter.ts';
import type { Adapter, Bench, Clock, Endpoint, OpenOptions, Profile } from '../adapter.ts';
import { guestIpv4, guestIpv6, guestMac, spareAddress, spareIpv4 } from '../agent/machine.ts';
import { remoteVerbs } from '../agent/remote-verbs.ts';
import { gidFollows, linkFollows, portFollows } from '../port-follows.ts';
import { realClock } from '../real-clock.ts';
import type { DeviceInfo } from '../verbs/device/info.ts';
import { echoing } from './echo.ts';
import { guestMegabytes, openGuest } from './guest.ts';
import { hostHindrance, openHostDevice } from './host.ts';
import type { HostDevice } from './host.ts';
import type { GuestOptions } from './guest.ts';
import { kernelInWords } from './kernel/choice.ts';

export type { Guest, GuestOptions } from './guest.ts';
export { openGuest } from './guest.ts';
export { guestHindrance } from './hindrance.ts';
export { debianKernel, kernelChoice, kernels } from './kernel/choice.ts';
export type { KernelChoice, KernelSeries } from './kernel/choice.ts';

export type RxeOptions = Pick<
  GuestOptions,
  'kernel' | 'accel' | 'fresh' | 'callLimitMs' | 'bootLimitMs' | 'programs'
> & {
  /** `auto` takes the host's own rdma_rxe where it can and no kernel is asked for; default auto */
  where?: 'auto' | 'host' | 'guest';
  /** `none`: the same device with nobody at the other end and no packet seen, as `verbs:DEVICE` is; default `seen` */
  wire?: 'seen' | 'none';
};

const profileOf = (kernel: string, { wire }: RxeOptions): Profile => ({
  name: 'rxe',
  version: `Linux ${kernel}`,
  capabilities: [
    'rc',
    'uc',
    'ud',
    'atomic',
    'srq',
    'uc-srq',
    'srq-resize',
    'cq-events',
    'cq-resize',
    'room-reports',
    'destroy-calls',
    'wr-lists',
    'port-events',
    'gid-events',
    'second-context',
    'traffic-class',
    'send-with-invalidate',
    'iova',
    'memory-windows',
    'memory-windows-1',
  ],
  pathMtus: [256, 512, 1024, 2048, 4096],
  ipVersions: [4, 6],
  // 27 is what an SRQ takes (max_srq_sge); other queues take 32
  limits: { maxDestRdAtomic: 128, maxMessageBytes: 1 << 23, maxQps: 1024, maxSge: 27 },
  clock: 'real',
  ...(wire === 'none' && { wire }),
  responseTime: 400e6,
  // one jiffy at 250 Hz
  minTimeout: 10,
  // packets wait for the guest, the socket behind it and this process: 20 ms were seen on a busy host
  wireJitter: 60e6,
  concurrency: 64,
});

/** A device that opens only once. */
const withoutSecond = (profile: Profile): Profile => ({
  ...profile,
  capabilities: profile.capabilities.filter((word) => word !== 'second-context'),
});

/** The GID table's index of an address; AdapterBroken where the device does not list it. */
function gidIndex(info: DeviceInfo, gid: string): number {
  const index = info.gids.indexOf(gid);
  if (index < 0) throw new AdapterBroken(`rxe: the device has no GID ${gid}; it has ${info.gids.join(', ')}`);
  return index;
}

function endpointsOf(info: DeviceInfo, peer: number): { dut: Endpoint; peer: Endpoint } {
  const index = {
    ipv4: gidIndex(info, gidOfAddress(guestIpv4(1))),
    ipv6: gidIndex(info, 'fd770000000000000000000000000001'),
  };
  const endpoint = (n: number): Endpoint => ({
    mac: guestMac(n),
    ipv4: guestIpv4(n),
    ipv6: guestIpv6(n),
    gidIndex: index,
  });
  return { dut: endpoint(1), peer: endpoint(peer) };
}

/** Whether the device is this host's own; `why` is called with the reason where it cannot be. */
async function usesHost(
  options: RxeOptions,
  open: OpenOptions,
  why: (hindrance: string) => void,
): Promise<boolean> {
  if (options.where === 'guest' || (options.where !== 'host' && options.kernel !== undefined)) return false;
  if (open.apart === true && options.where !== 'host') return false;
  const hindrance = await hostHindrance();
  if (hindrance === undefined) return true;
  if (options.where === 'host') throw new AdapterUnavailable(`rxe: ${hindrance}`);
  why(hindrance);
  return false;
}

async function openParts(
  options: RxeOptions,
  open: OpenOptions,
  clock: Clock,
  why: (hindrance: string) => void,
): Promise<HostDevice> {
  if (await usesHost(options, open, why)) return openHostDevice(clock);
  const guest = await openGuest(clock, { ...options, ...open });
  return {
    verbs: remoteVerbs(guest.client, clock),
    wire: guest.wire,
    info: guest.hello.info,
    kernel: guest.hello.kernel,
    setLink: async (up) => {
      await guest.setLink(up);
      await guest.exec(['/bin/sh', '-c', linkFollows('eth0', up)], 5000);
    },
    setGid: async (present) => {
      const { code, stderr } = await guest.exec(['/bin/ip', ...spareAddress(present)], 5000);
      if (code !== 0) throw new AdapterBroken(`rxe: the guest's address was not changed: ${stderr.trim()}`);
      return gidOfAddress(spareIpv4);
    },
    onLog: (listener) => guest.onLog(listener),
    failure: () => guest.client.failure(),
    close: () => guest.close(),
  };
}

/**
 * Linux soft-RoCE: the host's own on a TAP interface where this process may use it, else that of a stock Debian kernel
 * in a QEMU guest that this adapter downloads, boots and ends.
 */
export function rxeAdapter(options: RxeOptions = {}): Adapter {
  // a guest that ends is followed by another, for the same reason
  let said = false;
  return {
    name: 'rxe',
    // the host has one rxe device; guests are as many as there is room for
    ...(options.where !== 'host' && { apart: { megabytes: guestMegabytes } }),
    describe: () =>
      Promise.resolve(
        profileOf(options.kernel === undefined ? '6.1' : kernelInWords(options.kernel), options),
      ),
    async open(open: OpenOptions): Promise<Bench> {
      const clock = realClock();
      const parts = await openParts(options, open, clock, (hindrance) => {
        if (!said) open.log?.(`rxe runs in a guest: ${hindrance}`);
        said = true;
      });
      const close = (): Promise<void> => parts.close();
      try {
        const { verbs, info, kernel } = parts;
        const { wire, echo, setEchoes } = echoing(parts.wire);
        const setLink = async (up: boolean): Promise<void> => {
          if (!up) setEchoes(false);
          await parts.setLink(up);
          await portFollows(verbs, up);
          if (up) setEchoes(true);
        };
        const setGid = async (present: boolean): Promise<string> => {
          const gid = await parts.setGid(present);
          await gidFollows(verbs, gid, present);
          return gid;
        };
        const failure = (): Error | undefined => parts.failure?.();
        const { onLog } = parts;
        const profile = profileOf(kernel, options);
        const common = {
          profile: info.second_context === true ? profile : withoutSecond(profile),
          clock,
          verbs,
          setLink,
          setGid,
          failure,
          close,
          ...(onLog !== undefined && { onLog }),
        };
        // without a wire the device's own address is the only one that answers
        if (options.wire === 'none') return { ...common, ...endpointsOf(info, 1) };
        return { ...common, wire, echo, ...endpointsOf(info, 2) };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}
