import type { RecvWr } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/packet.ts';
import { totalLength } from '../../device/memory.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { Srq } from '../../device/qp.ts';
import type { UnreliableQp } from '../qp.ts';
import type { SharedCase } from './arrival.ts';
import type { ReceiveState } from './state.ts';

/** Whether a packet may need a receive WQE that its message does not hold yet. */
export function mayTake({ opcode }: Packet): boolean {
  const { family, starts, immediate } = requestShape(opcode);
  return family === 'send' ? starts : family === 'write' && immediate;
}

/** What a packet may find on an SRQ that others take from as well, the likeliest first: a WQE, one of those that are left, or none. */
export function sharedCases(
  qp: UnreliableQp,
  srq: Srq,
  { rqHead, rqTail, wqe }: ReceiveState,
  { packet, event }: { packet: Packet; event: number },
): readonly SharedCase[] {
  const { least, most } = srq.takers.besides(qp, packet);
  const holds = wqe >= 0;
  const none: SharedCase = { othersTook: most, wqe: undefined };
  if (!holds && !mayTake(packet)) return [none];
  // one that was posted until now may have been there when the device looked at the packet
  const othersTook = least - (srq.posted.length - rqTail);
  const surely = rqHead + most < rqTail;
  if (!holds && rqHead + othersTook >= rqTail) return [none];
  const cases = different(qp, srq.posted.openFrom(event)).map((wr) => ({ othersTook, wqe: wr }));
  // the WQE of a message that is given up does not serve the next one where it completes as aborted
  const keeps = holds && !(mayTake(packet) && qp.capabilities?.has('srq-abort') === true);
  return keeps || surely ? cases : [...cases, none];
}

/** Of WQEs that no packet can tell apart, one. */
function different(qp: UnreliableQp, open: Iterable<RecvWr>): RecvWr[] {
  const found = new Map<string, RecvWr>();
  for (const wr of open) {
    const sound = wr.sg_list.every((sge) => qp.mayReceiveInto(sge));
    const key = sound ? `${wr.sg_list.length > 0} ${totalLength(wr.sg_list)}` : `faulty ${found.size}`;
    if (!found.has(key)) found.set(key, wr);
  }
  return [...found.values()];
}
