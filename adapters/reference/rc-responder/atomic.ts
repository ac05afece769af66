import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { AtomicEth } from '../device/headers.ts';
import type { Place } from '../device/memory/memory.ts';
import { remotePlace } from '../device/memory/protection.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { allows } from './access.ts';
import { isBare } from './length.ts';
import { refuseDenied, refuseDisabled, refuseLength } from './refuse.ts';
import { sendAtomicAck } from './reply.ts';
import { hasNoResource, refuseExcess, refuseReadAtomic, remember } from './resources.ts';

export type AtomicKind = 'compare-swap' | 'fetch-add';

/** A CmpSwap or FetchAdd with the expected PSN. */
export function executeAtomic(core: Core, qp: QueuePair, packet: Packet, kind: AtomicKind): void {
  const r = qp.responder;
  const { psn, opcode, atomicEth: eth } = packet;
  if (eth === undefined || !allows(core, qp, 'IBV_ACCESS_REMOTE_ATOMIC')) {
    refuseDisabled(core, qp, psn);
    return;
  }
  if (!isBare(core, packet)) {
    refuseLength(core, qp, psn);
    return;
  }
  if (hasNoResource(core, qp)) {
    refuseExcess(core, qp, psn);
    return;
  }
  if (!isAligned(core, eth.va)) {
    refuseMisaligned(core, qp, psn);
    return;
  }
  const place = remotePlace(core.memory, eth.rkey, eth.va, 8, qp.pd, 'IBV_ACCESS_REMOTE_ATOMIC', qp.num);
  if (place === undefined) {
    refuseDenied(core, qp, psn);
    return;
  }
  const original = operate(core, place, eth, kind);
  remember(core, qp, { kind: 'atomic', psn, packets: 1, opcode, va: eth.va, rkey: eth.rkey, original });
  r.epsn = psnAdd(r.epsn, 1);
  r.msn = psnAdd(r.msn, 1);
  sendAtomicAck(core, qp, psn, resultOf(core, place, original));
}

export const isAligned = seam((_core: Core, va: bigint): boolean => va % 8n === 0n);

export const refuseMisaligned = seam((core: Core, qp: QueuePair, psn: number): void => {
  refuseReadAtomic(core, qp, psn);
});

/** The value that goes back: the one from before the operation. */
export const resultOf = seam((_core: Core, _place: Place, original: bigint): bigint => original);

/** Performs the operation and gives the value from before it. */
export const operate = seam((_core: Core, place: Place, eth: AtomicEth, kind: AtomicKind): bigint => {
  const original = valueAt(place);
  if (kind === 'fetch-add') setValue(place, original + eth.swapOrAdd);
  else if (original === eth.compare) setValue(place, eth.swapOrAdd);
  return original;
});

// Memory of the host is little endian.
function viewOf({ bytes, offset }: Place): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + offset, 8);
}

export function valueAt(place: Place): bigint {
  return viewOf(place).getBigUint64(0, true);
}

/** Modulo 2^64. */
export function setValue(place: Place, value: bigint): void {
  viewOf(place).setBigUint64(0, value, true);
}
