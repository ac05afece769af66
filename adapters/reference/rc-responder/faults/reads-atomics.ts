import type { Core } from '../../device/core.ts';
import type { QueuePair } from '../../device/qp.ts';
import { psnDiff } from '../../../../wire/index.ts';
import type { AtomicEth, Reth } from '../../device/headers.ts';
import type { Place } from '../../device/memory/memory.ts';
import { faultsAt } from '../../seam.ts';
import {
  type AtomicKind,
  isAligned,
  operate,
  refuseMisaligned,
  resultOf,
  setValue,
  valueAt,
} from '../atomic.ts';
import { readAgain } from '../duplicate.ts';
import { countRead, denyRead, psnsTaken, readable, sendReadable } from '../read.ts';
import { refuseDenied } from '../refuse.ts';
import { sendNak } from '../reply.ts';
import { hasNoResource, refuseExcess, remember, replayRoom } from '../resources.ts';
import type { ReadResource, Resource } from '../state.ts';

/** NAK and ERR, and no event for software. */
function refuseSilently(_sound: unknown, core: Core, qp: QueuePair, psn: number): void {
  sendNak(core, qp, 'invalid-request', psn);
  qp.responder.message = undefined;
  core.fail(qp);
}

/** the bytes that the newest READ of a QP found */
const newest = new WeakMap<QueuePair, Uint8Array>();
/** those that the first response to a READ brought */
const kept = new WeakMap<Resource, Uint8Array>();

type Reading = (core: Core, qp: QueuePair, reth: Reth) => Uint8Array | undefined;

function noteRead(sound: Reading, core: Core, qp: QueuePair, reth: Reth): Uint8Array | undefined {
  const data = sound(core, qp, reth);
  if (data !== undefined) newest.set(qp, data);
  return data;
}

/** The part of what a READ was answered with that it asks for again. */
function keptPart(qp: QueuePair, found: ReadResource, psn: number, { dmaLen }: Reth): Uint8Array | undefined {
  const skipped = psnDiff(psn, found.psn) * qp.mtu;
  return kept.get(found)?.subarray(skipped, skipped + dmaLen);
}

type Operation = (core: Core, place: Place, eth: AtomicEth, kind: AtomicKind) => bigint;

/** These bits of a CmpSwap are compared, and no others. */
const comparing =
  (bits: bigint) =>
  (sound: Operation, core: Core, place: Place, eth: AtomicEth, kind: AtomicKind): bigint =>
    sound(core, place, { ...eth, compare: (eth.compare & bits) | (valueAt(place) & ~bits) }, kind);

export const readAtomicFaults = [
  faultsAt(hasNoResource, {
    'resource-overflow-executed': () => false,
    'resources-never-freed': (sound, core, qp) =>
      sound(core, qp) || qp.responder.resources.length >= (qp.attr.max_dest_rd_atomic ?? 0),
  }),

  faultsAt(refuseExcess, { 'resources-unreported': refuseSilently }),
  faultsAt(refuseMisaligned, { 'misaligned-unreported': refuseSilently }),

  faultsAt(remember, {
    'read-evicts-atomics': (sound, core, qp, resource) => {
      const r = qp.responder;
      if (resource.kind === 'read') r.resources = r.resources.filter(({ kind }) => kind === 'read');
      sound(core, qp, resource);
    },
    'duplicate-read-stale': (sound, core, qp, resource) => {
      const data = newest.get(qp);
      if (resource.kind === 'read' && data !== undefined) kept.set(resource, data.slice());
      sound(core, qp, resource);
    },
    'duplicate-read-of-freed-memory': (sound, core, qp, resource) => {
      const data = newest.get(qp);
      if (resource.kind === 'read' && data !== undefined) kept.set(resource, data);
      sound(core, qp, resource);
    },
  }),

  faultsAt(readable, { 'duplicate-read-stale': noteRead, 'duplicate-read-of-freed-memory': noteRead }),

  faultsAt(readAgain, {
    'duplicate-read-stale': (sound, core, qp, found, psn, reth) =>
      sound(core, qp, found, psn, reth) && keptPart(qp, found, psn, reth),
    'duplicate-read-of-freed-memory': (_sound, _core, qp, found, psn, reth) => keptPart(qp, found, psn, reth),
  }),

  faultsAt(replayRoom, {
    'one-replay-entry': () => 1,
    'eight-replay-entries': (sound, core, qp) => Math.min(8, sound(core, qp)),
  }),

  faultsAt(psnsTaken, { 'read-advances-one-psn': () => 1 }),
  faultsAt(countRead, { 'msn-not-for-read': () => undefined }),

  faultsAt(denyRead, {
    'read-nak-psn-of-request': (_sound, core, qp, psn, reth) => {
      sendReadable(core, qp, psn, reth);
      refuseDenied(core, qp, psn);
    },
  }),

  faultsAt(isAligned, { 'unaligned-atomic-accepted': () => true }),
  faultsAt(resultOf, { 'atomic-returns-new-value': (_sound, _core, place) => valueAt(place) }),

  faultsAt(operate, {
    'fetch-add-32-bits': (sound, core, place, eth, kind) => {
      if (kind !== 'fetch-add') return sound(core, place, eth, kind);
      const original = valueAt(place);
      const low = (original + eth.swapOrAdd) & 0xffff_ffffn;
      setValue(place, (original & ~0xffff_ffffn) | low);
      return original;
    },
    'compare-low-half': comparing(0xffff_ffffn),
    'compare-high-half': comparing(0xffff_ffffn << 32n),
    'swap-low-half': (sound, core, place, eth, kind) => {
      const high = valueAt(place) & (0xffff_ffffn << 32n);
      const low = eth.swapOrAdd & 0xffff_ffffn;
      return sound(core, place, kind === 'compare-swap' ? { ...eth, swapOrAdd: high | low } : eth, kind);
    },
    'compare-swap-always': (sound, core, place, eth, kind) =>
      sound(core, place, { ...eth, compare: valueAt(place) }, kind),
  }),
];
