import { psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { scatter } from '../device/memory/sge-list.ts';
import { resultBytes } from '../rc-requester/data.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import type { Outgoing } from './state.ts';

/** What became of an answer: it fits no request, its place may not be written, or it was placed now or before. */
export type Taken = 'bad' | 'fault' | 'old' | 'new';

/** The READ or ATOMIC that a packet answers, while it is not complete. */
function answeredBy(qp: OooQp, { psn, ooeth }: Packet): Outgoing | undefined {
  return qp.ooo.requester.outgoing.find(
    ({ readWqeSn, wqe }) => readWqeSn !== undefined && wqe.psn === psn && ooeth?.readWqeSn === readWqeSn,
  );
}

/** A READ response: placed by its offset, in whatever order, once. */
export function takeRead(core: Core, qp: OooQp, packet: Packet): Taken {
  const found = answeredBy(qp, packet);
  // Whatever is complete already is a late duplicate.
  if (found === undefined) return psnDiff(packet.psn, qp.requester.una) < 0 ? 'old' : 'bad';
  const { wqe, answers } = found;
  const { payload, ooeth, info } = packet;
  const { mtu } = qp;
  const offset = ooeth?.offset ?? 0;
  const index = offset / mtu;
  const last = index === answers.length - 1;
  if (wqe.kind !== 'read' || !Number.isInteger(index) || index >= answers.length) return 'bad';
  if (payload.length !== (last ? wqe.length - offset : mtu)) return 'bad';
  if (!(info?.operation ?? '').endsWith(positionOf(index, answers.length))) return 'bad';
  if (answers[index] === true) {
    dropRepeated(core, qp, found, packet);
    return 'old';
  }
  if (!placeAnswer(core, qp, found, offset, payload)) return 'fault';
  countAnswer(core, found, index);
  return 'new';
}

/** An answer that is here already is not placed again. */
export const dropRepeated = seam(
  (_core: Core, _qp: OooQp, _request: Outgoing, _packet: Packet): void => undefined,
);

/** Places the data of an answer; false where the memory may not be written. */
export const placeAnswer = seam(
  ({ memory }: Core, { pd }: OooQp, { wqe }: Outgoing, offset: number, data: Uint8Array): boolean =>
    scatter(memory, wqe.wr.sg_list, offset, data, pd),
);

export const countAnswer = seam((_core: Core, request: Outgoing, index: number): void => {
  request.answers[index] = true;
  request.missing--;
});

function positionOf(index: number, packets: number): string {
  if (packets === 1) return '_ONLY';
  return index === 0 ? '_FIRST' : index === packets - 1 ? '_LAST' : '_MIDDLE';
}

/** An ATOMIC Acknowledge. */
export function takeAtomic(core: Core, qp: OooQp, packet: Packet): Taken {
  const found = answeredBy(qp, packet);
  if (found === undefined) return psnDiff(packet.psn, qp.requester.una) < 0 ? 'old' : 'bad';
  const { wqe, answers } = found;
  if (wqe.kind !== 'atomic') return 'bad';
  if (answers[0] === true) return 'old';
  const original = resultBytes(packet.atomicOriginal ?? 0n);
  if (!scatter(core.memory, wqe.wr.sg_list, 0, original, qp.pd)) return 'fault';
  answers[0] = true;
  found.missing = 0;
  return 'new';
}
