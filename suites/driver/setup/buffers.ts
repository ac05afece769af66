import type { RegisteredMr, Verbs } from '../../../adapters/adapter.ts';
import type { AccessFlag } from '../../../spec/verbs.ts';
import type { LocalFault, Role, Scenario } from '../../scenario.ts';
import type { CallWrapper } from './call.ts';
import { fillBytes } from './fill.ts';

/** A region that the driver registered for work requests. */
export interface OwnRegion extends RegisteredMr {
  length: number;
  deregistered?: boolean;
  /** too long to be filled and read back */
  unread?: boolean;
}

/** A scatter or gather element: `length` bytes from `offset` of a region. */
export interface Piece {
  region: OwnRegion;
  offset: number;
  length: number;
}

/** The memory of the work requests that one end puts on one of its queues, in order of their posting. */
export interface Buffers {
  /** elements of each */
  pieces: Piece[][];
  /** what is to happen to the last region of each before it is posted */
  faults: (LocalFault | undefined)[];
  /** all regions; the first one is shared by those work requests that need none of their own */
  regions: OwnRegion[];
}

/** What a scenario says of the memory of a work request. */
interface Need {
  length: number;
  sges: number;
  /** how often its elements are named */
  repeat: number;
  fault: LocalFault | undefined;
  /** it lies where the one before lies, as far as that goes */
  again: boolean;
}

/** Registers memory: on the QP's PD, or on another one. */
export interface Registrar {
  verbs: Verbs;
  call: CallWrapper;
  pd: number;
  foreignPd: () => Promise<number>;
  /** address of the last byte of the memory of work requests, as of a `QpPlan` */
  lastByte?: string | undefined;
  /** and of its first byte, likewise */
  firstByte?: string | undefined;
}

/** What an end's work requests need: those of its send or of its receive queue, in the order of the steps. */
export function needsOf(scenario: Scenario, role: Role, queue: 'send' | 'receive'): Need[] {
  return scenario.steps.flatMap((step) => {
    if (queue === 'send') {
      if (step.do !== 'post_send' || (step.at ?? 'requester') !== role) return [];
      const { length, sges = 1, repeat = 1, localFault } = step.wr;
      return [{ length, sges, repeat, fault: localFault, again: step.wr.again === true }];
    }
    if (step.do !== 'post_recv' || (step.at ?? 'responder') !== role) return [];
    const { length, sges = 1, localFault } = step;
    return [{ length, sges, repeat: 1, fault: localFault, again: step.again === true }];
  });
}

/** Longer work requests are meant to be too long to be sent: the zeros in their memory are neither overwritten nor read back. */
const mostRead = 1 << 22;

const pageBytes = 4096;

const writable: AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE'];

interface MakeOptions {
  /** on a PD that is not the QP's */
  foreign?: boolean;
  unread?: boolean;
}

/** Registers the memory of work requests; `seed` fills it. */
export async function makeBuffers(
  asked: readonly Need[],
  registrar: Registrar,
  seed: number | undefined,
): Promise<Buffers> {
  const unread = ({ length, repeat }: Need): boolean => length * repeat > mostRead;
  const shared = (need: Need): boolean => need.sges === 1 && need.fault === undefined && !unread(need);
  // what others have used already may be taken away
  const taken = (need: Need): boolean => need.sges === 1 && need.fault === 'deregistered';
  const sharing = (need: Need | undefined): boolean => need !== undefined && shared(need);
  const needs = asked.map((need, i) => ({
    ...need,
    again: need.again && (shared(need) || taken(need)) && sharing(asked[i - 1]),
  }));
  const total = needs.reduce((sum, need) => sum + (shared(need) && !need.again ? need.length : 0), 0);
  const regions: OwnRegion[] = [];
  const make = async (used: number, access: AccessFlag[], more: MakeOptions = {}): Promise<OwnRegion> => {
    const { length, iova } = placed(used, registrar);
    const pd = more.foreign === true ? await registrar.foreignPd() : registrar.pd;
    const region: OwnRegion = {
      ...(await register(registrar, pd, length, access, iova)),
      length,
    };
    if (more.unread === true) region.unread = true;
    else if (seed !== undefined)
      await fill(registrar, region.mr, fillBytes(seed + 31 * regions.length, length));
    regions.push(region);
    return region;
  };
  const pool = total === 0 ? undefined : await make(total, writable);
  const pieces: Piece[][] = [];
  let offset = pool === undefined ? 0 : pool.length - total;
  for (const need of needs) {
    const before = pieces.at(-1);
    if (need.again && before !== undefined) {
      pieces.push(before.map((piece) => ({ ...piece, length: Math.min(piece.length, need.length) })));
      continue;
    }
    if (shared(need)) {
      const { length } = need;
      pieces.push(pool === undefined || length === 0 ? [] : [{ region: pool, offset, length }]);
      offset += length;
      continue;
    }
    const own: Piece[] = [];
    const lengths = parts(need);
    for (const [i, length] of lengths.entries()) {
      const fault = i === lengths.length - 1 ? need.fault : undefined;
      const access = fault === 'rights' ? [] : writable;
      const foreign = fault === 'foreign-pd';
      const region = await make(length, access, { foreign, unread: unread(need) });
      // Beyond the end by one byte: what lies there is guard, so that nothing else is hurt.
      own.push({ region, offset: region.length - length + (fault === 'bounds' ? 1 : 0), length });
    }
    pieces.push(own);
  }
  return { pieces, faults: needs.map((need) => need.fault), regions };
}

/** Length and address of a region whose last `used` bytes are of use: whole pages where it is to end at an address. */
function placed(used: number, { lastByte, firstByte }: Registrar): { length: number; iova?: bigint } {
  if (firstByte !== undefined) return { length: used, iova: BigInt(firstByte) };
  if (lastByte === undefined) return { length: used };
  const length = Math.ceil(used / pageBytes) * pageBytes;
  const iova = BigInt(lastByte) + 1n - BigInt(length);
  return { length, iova: iova < 0n ? 0n : iova };
}

/** Lengths of the elements: equal but for the first, which takes what is left over; none of 0, which some devices take for 2^31. */
function parts({ length, sges }: Need): number[] {
  const each = Math.floor(length / sges);
  const all = Array.from({ length: sges }, (_, i) => (i === 0 ? length - each * (sges - 1) : each));
  return all.filter((part) => part > 0);
}

export async function register(
  { verbs, call }: Registrar,
  pd: number,
  length: number,
  access: AccessFlag[],
  iova?: bigint,
): Promise<RegisteredMr> {
  const place = iova === undefined ? {} : { iova };
  return call(
    () => verbs.reg_mr({ pd, length, access, ...place }),
    (mr) => ({ call: 'reg_mr', pd, length, access, ...mr }),
  );
}

export async function fill({ verbs, call }: Registrar, mr: number, bytes: Uint8Array): Promise<void> {
  await call(
    () => verbs.write_memory(mr, 0, bytes),
    () => ({ call: 'write_memory', mr, offset: 0, bytes }),
  );
}
