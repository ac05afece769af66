import { release } from 'node:os';
import { AdapterUnavailable, VerbsError } from '../adapter.ts';
import type { Adapter, Bench, Capability, Endpoint, OpenOptions, Profile } from '../adapter.ts';
import { realClock } from '../real-clock.ts';
import type { PathMtu } from '../../spec/verbs.ts';
import { VerbsDevice } from './device/device.ts';
import { loadLibibverbs } from './ffi.ts';
import type { Libibverbs } from './ffi.ts';
import { localVerbs } from './local.ts';
import { deviceNames } from './device/open.ts';
import { endpointOf, gidFacts } from './ports.ts';
import { openPeerWire, patientVerbs, peerOf } from './peer-wire.ts';
import { reregisters, takesAddresses, serviceNames, servicesOf } from './services.ts';

export interface VerbsOptions {
  /** name that `ibv_devices` lists, e.g. `mlx5_0` */
  device: string;
  /** interface of this machine that faces the device's port; packets are sent and seen there. Absent: no wire */
  netdev?: string;
  /**
   * IPv4 address of the peer on the wire, of the device's own subnet and nobody's. Default: the device's, its last bit flipped, as
   * is done with its IPv6 address
   */
  peer?: string;
  /** smallest code of the Local ACK Timeout that has an effect of its own, 1..31; default 1 */
  minTimeout?: number;
  /** where the loader finds libibverbs; default `libibverbs.so.1` */
  library?: string;
}

const packages = 'Debian packages libibverbs1 and ibverbs-providers, or the vendor, have it';
const mtus: readonly PathMtu[] = [256, 512, 1024, 2048, 4096];

function load(library: string | undefined): Libibverbs {
  try {
    return loadLibibverbs(library);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AdapterUnavailable(`verbs: libibverbs does not load (${packages}): ${why}`);
  }
}

/** Opens the device, or says what there is instead. */
function openDevice(name: string, lib: Libibverbs): VerbsDevice {
  let names: string[];
  try {
    names = deviceNames(lib);
  } catch (error) {
    if (!(error instanceof VerbsError)) throw error;
    throw new AdapterUnavailable(
      `verbs: this kernel offers no RDMA devices (errno ${error.errno}); load the driver of the device and ib_uverbs`,
    );
  }
  if (!names.includes(name)) {
    const there =
      names.length === 0
        ? 'none at all; is its driver loaded, and its provider installed (ibverbs-providers)?'
        : names.join(', ');
    throw new AdapterUnavailable(`verbs: there is no RDMA device "${name}"; libibverbs lists ${there}`);
  }
  try {
    return new VerbsDevice(name, lib);
  } catch (error) {
    if (!(error instanceof VerbsError)) throw error;
    throw new AdapterUnavailable(
      `verbs: ${name} does not open (${error.message}); /dev/infiniband/uverbs* must be there for this user to read and write`,
    );
  }
}

function profileOf(device: VerbsDevice, end: Endpoint, { netdev, minTimeout }: VerbsOptions): Profile {
  const attr = device.query();
  const { max_msg_sz, active_mtu, pkey_tbl_len = 0 } = device.port.query();
  const able = device.abilities();
  const words: [Capability, boolean][] = [
    ['atomic', able.atomic],
    ['srq', able.srq],
    ['srq-errors', able.srq],
    ['srq-resize', able.srq && attr.srq_resize === true],
    ['cq-events', true],
    ['cq-resize', true],
    ['room-reports', true],
    ['destroy-calls', true],
    ['wr-lists', true],
    ['port-events', attr.port_active_event === true],
    ['second-context', device.info().second_context === true],
    ['traffic-class', true],
    ['pkey-entries', pkey_tbl_len > 1],
    ['send-with-invalidate', able.sendWithInvalidate],
    ['memory-windows', able.memoryWindows],
    ['memory-windows-1', able.memoryWindows && able.memoryWindowsOfType1],
    ['iova', takesAddresses(device)],
    ['iova-in-page', takesAddresses(device, 64n)],
    ['rereg-mr', reregisters(device, { access: [] })],
    ['rereg-mr-translation', reregisters(device, { length: 4096 })],
  ];
  const ipVersions: (4 | 6)[] = [];
  if (end.ipv4 !== undefined) ipVersions.push(4);
  if (end.ipv6 !== undefined) ipVersions.push(6);
  return {
    name: 'verbs',
    version: `${device.name}, Linux ${release()}`,
    capabilities: [...servicesOf(device), ...words.filter(([, has]) => has).map(([word]) => word)],
    pathMtus: mtus.filter((mtu) => mtu <= active_mtu),
    ipVersions,
    limits: {
      maxDestRdAtomic: attr.max_qp_rd_atom,
      maxMessageBytes: max_msg_sz,
      maxQps: attr.max_qp,
      // what a device names here is room of its most favourable queue
      maxSge: Math.max(4, Math.min(16, attr.max_sge ?? 16)),
    },
    clock: 'real',
    ...(netdev === undefined ? { wire: 'none' as const } : { wireJitter: 60e6 }),
    ...(minTimeout !== undefined && { minTimeout }),
    responseTime: 400e6,
    concurrency: Math.max(1, Math.min(32, Math.floor(attr.max_qp / 8))),
  };
}

interface Opened {
  device: VerbsDevice;
  end: Endpoint;
  profile: Profile;
}

function openAll(options: VerbsOptions): Opened {
  const { device: name, library } = options;
  const device = openDevice(name, load(library));
  try {
    const { state } = device.port.query();
    if (state !== 'IBV_PORT_ACTIVE')
      throw new AdapterUnavailable(`verbs: the port of ${name} is in ${state}; take its link up`);
    const end = endpointOf(gidFacts(name, device.info().gids));
    if (end === undefined)
      throw new AdapterUnavailable(
        `verbs: ${name} has no GID of RoCE v2; give its network interface an IP address`,
      );
    const profile = profileOf(device, end, options);
    if (!profile.capabilities.some((word) => serviceNames.has(word)))
      throw new AdapterUnavailable(`verbs: ${name} makes no QP of any service, neither RC, UC nor UD`);
    return { device, end, profile };
  } catch (error) {
    device.close();
    throw error;
  }
}

/**
 * Any device of this machine by libibverbs; its link and addresses are left as they are. Without `netdev` nothing is seen of
 * its packets, and only scenarios between two of its own QPs can be run.
 */
export function verbsAdapter(options: VerbsOptions): Adapter {
  const { netdev } = options;
  return {
    name: 'verbs',
    describe: async () => {
      const { device, profile } = openAll(options);
      device.close();
      return profile;
    },
    open: async (_open: OpenOptions): Promise<Bench> => {
      const { device, end, profile } = openAll(options);
      const clock = realClock();
      const common = { profile, clock, verbs: localVerbs(device, clock), dut: end };
      if (netdev === undefined) return { ...common, peer: end, close: async () => device.close() };
      try {
        const peer = peerOf(end, options.peer);
        const wire = await openPeerWire(netdev, end, peer, clock);
        const close = async (): Promise<void> => {
          device.close();
          wire.close();
        };
        const verbs = patientVerbs(common.verbs, wire, clock);
        return { ...common, verbs, wire, peer, close };
      } catch (error) {
        device.close();
        throw error;
      }
    },
  };
}
