import { atomicBytes } from '../../../spec/constants.ts';
import type { Region } from '../../device/memory.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import { rightOf } from '../request.ts';
import type { RequestView } from '../request.ts';

/** The fact `access`. Built in, since it looks up memory regions. */
export function access(request: RequestView, slot: FactSlot): void {
  const range = memoryRange(request);
  if (range === undefined) slot.set('not-needed');
  else if (isInvalidated(request, range) || isOfOther(request, range)) slot.set('denied');
  else if (request.qp.verbs) {
    const found = accessOf(request, range);
    const { memory, handle } = request.qp;
    if (found !== 'denied' && memory.windows.mayBeClosed(range.rkey, handle)) slot.unsure(found, 'denied');
    else slot.set(found);
  } else slot.unsure('granted', request.opcode.family === 'read' ? 'partly' : 'later', 'denied');
}

interface AccessRange {
  right: (typeof rightOf)[keyof typeof rightOf];
  rkey: number;
  /** bytes that this packet touches; of a READ, those without which it cannot begin */
  va: bigint;
  length: number;
  /** bytes that the message announces from `va` on */
  announced: number;
}

/** Memory that a WRITE, READ or ATOMIC packet names; `undefined` for SENDs, zero length, and where the start was not seen. */
export function memoryRange({ state, packet, opcode, reth }: RequestView): AccessRange | undefined {
  const right = opcode.family === 'send' || opcode.family === 'other' ? undefined : rightOf[opcode.family];
  if (right === undefined) return undefined;
  if (opcode.family === 'atomic') {
    const eth = packet.atomicEth;
    return eth && { right, rkey: eth.rkey, va: eth.va, length: atomicBytes, announced: atomicBytes };
  }
  if (reth?.dmaLen === 0) return undefined;
  if (opcode.family === 'read')
    return reth && { right, rkey: reth.rkey, va: reth.va, length: 1, announced: reth.dmaLen };
  if (reth)
    return {
      right,
      rkey: reth.rkey,
      va: reth.va,
      length: packet.payloadLength,
      announced: reth.dmaLen,
    };
  const open = state.reth;
  if (open === undefined || open.dmaLen === 0) return undefined;
  const announced = Math.max(0, open.dmaLen - state.received);
  return {
    right,
    rkey: open.rkey,
    va: open.va + BigInt(state.received),
    length: packet.payloadLength,
    announced,
  };
}

/** The region that grants the range, if one does. */
export function grantingRegion(
  request: RequestView,
  { rkey, right, va }: { right: AccessRange['right']; rkey: number; va: bigint },
  length: number,
): Region | undefined {
  const { memory, pd } = request.qp;
  return memory.granting(rkey, pd, right, va, length, (region) => request.grantOf(region));
}

/** Whether the key is that of a window which a SEND has invalidated. */
function isInvalidated({ qp, state }: RequestView, { rkey }: AccessRange): boolean {
  const key = qp.memory.windows.byRkey(rkey);
  return key !== undefined && state.invalidated.includes(key);
}

function isOfOther({ qp: { memory, handle } }: RequestView, { rkey }: AccessRange): boolean {
  return memory.windows.isOfOther(rkey, handle);
}

/** The fact `opens`. Built in, like `access`. */
export function opens(request: RequestView, slot: FactSlot): void {
  const range = memoryRange(request);
  const window = range && request.qp.memory.windows.byRkey(range.rkey);
  if (window === undefined) slot.set('region');
  else slot.set(range !== undefined && isOfOther(request, range) ? 'foreign-window' : 'window');
}

function accessOf(request: RequestView, range: AccessRange): 'granted' | 'later' | 'partly' | 'denied' {
  if (grantingRegion(request, range, range.length) === undefined) return 'denied';
  if (grantingRegion(request, range, range.announced) !== undefined) return 'granted';
  return range.right === rightOf.read ? 'partly' : 'later';
}
