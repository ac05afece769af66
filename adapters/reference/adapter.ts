import type { RateRecord } from '../../spec/congestion.ts';
import { isSwitchFault } from '../switch/faults.ts';
import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { Adapter, Bench, Endpoint, Profile } from '../adapter.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { profileOf as congestionOf } from './congestion/settings.ts';
import { defaultConfig, type ReferenceConfig } from './config.ts';
import { ReferenceNic } from './nic.ts';
import { limits } from './device/limits.ts';
import type { MemoryPlace } from './device/memory/memory.ts';
import { mutantSettings } from './mutants/settings.ts';
import { isMutantId, type MutantId } from './mutant.ts';
import { soundSettings } from './sound/settings.ts';
import { isSoundId, type SoundId } from './variant.ts';

/** Which reference NIC is meant: conformant by default, or one with a fault. */
export interface ReferenceOptions {
  /** id of one of `mutants`; RangeError if there is none */
  mutant?: string;
  /** id of a sound variant; RangeError if there is none, or beside a mutant */
  sound?: string;
  /** what the spec leaves to the device, in both roles */
  responder?: Partial<ReferenceConfig>;
  /** false: nobody sees the packets, and QPs of the device talk to each other only */
  wire?: boolean;
  /** stands for another device: with its profile, its addresses, and the numbers that it would give */
  place?: ReferencePlace;
}

/** What another device is called and can do. The reference NIC must be able to do all of it. */
export interface ReferencePlace extends MemoryPlace {
  profile: Profile;
  dut: Endpoint;
  peer: Endpoint;
  firstQp?: number;
}

const ends: { dut: Endpoint; peer: Endpoint } = {
  dut: {
    mac: '02:00:00:00:00:01',
    ipv4: '10.0.0.1',
    ipv6: 'fd00::1',
    gidIndex: { ipv4: 0, ipv6: 1 },
  },
  peer: {
    mac: '02:00:00:00:00:02',
    ipv4: '10.0.0.2',
    ipv6: 'fd00::2',
    gidIndex: { ipv4: 0, ipv6: 1 },
  },
};

function profileOf(name: string, config: Partial<ReferenceConfig>): Profile {
  const {
    apm,
    responseTime,
    wireJitter,
    minTimeout,
    busyEvery,
    srqAbort,
    ucSrq,
    srqResize,
    portEvents,
    srqErrors,
    maxMessageBytes,
    rcm,
    congestion,
    rateReports,
    ooo,
    irn,
    outOfOrder,
  } = {
    ...defaultConfig,
    ...config,
  };
  const { congestion: _, outOfOrder: __, ...choices } = config;
  return {
    name,
    version: '1',
    capabilities: [
      ...([
        'rc',
        'uc',
        'ud',
        'atomic',
        'srq',
        'send-with-invalidate',
        'memory-windows',
        'memory-windows-1',
      ] as const),
      ...(['iova', 'iova-in-page', 'rereg-mr', 'rereg-mr-translation'] as const),
      ...(['cq-events', 'cq-resize', 'room-reports', 'destroy-calls', 'wr-lists'] as const),
      ...(ucSrq ? (['uc-srq'] as const) : []),
      ...(apm ? (['apm'] as const) : []),
      ...(portEvents ? (['port-events'] as const) : []),
      ...(['gid-events', 'second-context', 'pkey-entries'] as const),
      ...(['traffic-class', 'hop-limit', 'flow-label', 'atomic-lists'] as const),
      ...(srqResize ? (['srq-resize'] as const) : []),
      ...(srqErrors ? (['srq-errors'] as const) : []),
      ...(srqAbort ? (['srq-abort'] as const) : []),
      ...(busyEvery > 0 ? (['rnr-any-request'] as const) : []),
      ...(rcm ? (['rcm'] as const) : []),
      ...(ooo ? (['ooo'] as const) : []),
      ...(ooo && irn ? (['irn'] as const) : []),
      ...(ooo && outOfOrder.fencesAll ? (['ooo-full-fence'] as const) : []),
      ...(rcm && congestion.dcqcn !== undefined ? (['dcqcn'] as const) : []),
      ...(rcm && congestion.dcqcn !== undefined && rateReports ? (['rate-reports'] as const) : []),
    ],
    pathMtus: [256, 512, 1024, 2048, 4096],
    ipVersions: [4, 6],
    limits: {
      maxDestRdAtomic: limits.maxRdAtomic,
      maxMessageBytes,
      maxQps: limits.maxQps,
      maxSge: limits.maxSge,
    },
    clock: 'virtual',
    responseTime,
    minTimeout,
    ...(wireJitter > 0 && { wireJitter }),
    concurrency: 1,
    ...(rcm && { congestion: congestionOf(congestion) }),
    ...(ooo && { outOfOrder: irn ? outOfOrder : withoutBounds(outOfOrder) }),
    choices,
  };
}

/** What a device declares whose loss recovery is not that of IRN. */
function withoutBounds({ window, fence, fencesAll }: OutOfOrderProfile): OutOfOrderProfile {
  return { window, fence, fencesAll };
}

/** The reference NIC as device under test, in process and in virtual time. Every open() is a fresh device. */
export function referenceAdapter(options: ReferenceOptions = {}): Adapter {
  const mutant = mutantOf(options.mutant);
  const sound = soundOf(options);
  const config = {
    ...(sound !== undefined && soundSettings[sound]),
    ...options.responder,
    ...(mutant !== undefined && mutantSettings[mutant]),
  };
  const name =
    (mutant !== undefined && `reference:mutant=${mutant}`) ||
    (sound !== undefined && `reference:sound=${sound}`) ||
    'reference';
  const profile: Profile = {
    ...(options.place?.profile ?? profileOf(name, config)),
    ...(options.wire === false && { wire: 'none' as const }),
  };
  return {
    name,
    describe: () => Promise.resolve(profile),
    open: () => Promise.resolve(openReference(profile, config, { mutant, sound }, options)),
  };
}

function mutantOf(id: string | undefined): MutantId | undefined {
  if (id === undefined) return undefined;
  if (!isMutantId(id)) throw new RangeError(`the reference NIC has no mutant "${id}"`);
  return id;
}

function soundOf({ mutant, sound }: ReferenceOptions): SoundId | undefined {
  if (sound === undefined) return undefined;
  if (!isSoundId(sound)) throw new RangeError(`the reference NIC has no conformant variant "${sound}"`);
  if (mutant !== undefined) throw new RangeError('a device is a mutant or a conformant variant, not both');
  return sound;
}

function openReference(
  profile: Profile,
  config: Partial<ReferenceConfig>,
  { mutant, sound }: { mutant: MutantId | undefined; sound: SoundId | undefined },
  { wire, place }: ReferenceOptions,
): Bench {
  const { dut, peer } = place ?? ends;
  const clock = new VirtualClock();
  let listener: ((frame: Uint8Array, time: number) => void) | undefined;
  const nic = new ReferenceNic({
    clock,
    endpoint: dut,
    neighbours: [peer],
    send: (frame) => listener?.(frame, clock.now()),
    config,
    ...(mutant !== undefined && { mutant }),
    ...(sound !== undefined && { sound }),
    ...(place?.firstQp !== undefined && { firstQp: place.firstQp }),
    ...(place !== undefined && { memory: place }),
  });
  return {
    profile,
    clock,
    verbs: nic.verbs,
    ...(wire !== false && {
      wire: {
        send: (frame: Uint8Array) => nic.receive(frame),
        onFrame: (next: (frame: Uint8Array, time: number) => void) => {
          listener = next;
        },
      },
    }),
    setLink: (up) => {
      nic.setLink(up);
      return Promise.resolve();
    },
    setGid: (present) => Promise.resolve(nic.setGid(present)),
    ...(isSwitchFault(mutant) && { switchFault: mutant }),
    ...(profile.capabilities.includes('rate-reports') && {
      onRate: (listener: (record: RateRecord, time: number) => void) => nic.onRate(listener),
    }),
    dut,
    peer,
    close: () => Promise.resolve(),
  };
}
