import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { scatter } from '../device/memory/sge-list.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { failHead } from './complete.ts';
import { impliedNak } from './implied-nak.ts';
import { acknowledge, advance } from './progress.ts';
import { refuseAnswer } from './refuse-answer.ts';
import type { SendWqe } from './state.ts';
import { find } from './window.ts';

/** A READ response with a PSN in the window. */
export function handleRead(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, payload } = packet;
  const wqe = find(qp, psn);
  if (wqe?.kind !== 'read') {
    refuseAnswer(core, qp, 'badResponse');
    return;
  }
  if (!acknowledgeBefore(core, qp, wqe, psn)) {
    impliedNak(core, qp, psn);
    return;
  }
  const index = psnDiff(psn, wqe.psn);
  const last = index === wqe.packets - 1;
  const expected = last ? wqe.length - index * qp.mtu : qp.mtu;
  if (!readLengthFits(core, payload.length, expected) || !positionFits(core, packet, wqe, last)) {
    refuseAnswer(core, qp, 'badResponse');
    return;
  }
  if (!storeRead(core, qp, wqe, packet)) {
    failHead(core, qp, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  advance(core, qp, firstUnread(core, wqe, psn));
}

/** A response also acknowledges what was sent before its READ; false where one before it is missing. */
export const acknowledgeBefore = seam((core: Core, qp: QueuePair, _wqe: SendWqe, psn: number): boolean =>
  acknowledge(core, qp, psn),
);

export const readLengthFits = seam(
  (_core: Core, length: number, expected: number): boolean => length === expected,
);

/** Scatters the data of a response; false where the WQE's own memory may not be written. */
export const storeRead = seam((core: Core, qp: QueuePair, { wr, psn: start }: SendWqe, packet: Packet) =>
  scatter(core.memory, wr.sg_list, psnDiff(packet.psn, start) * qp.mtu, packet.payload, qp.pd),
);

/** First PSN of which a READ still waits for the response, once that with this PSN is here. */
export const firstUnread = seam((_core: Core, _wqe: SendWqe, psn: number): number => psnAdd(psn, 1));

/** Whether the place of a response in the answer is the one that its opcode names. */
export const positionFits = seam(
  (_core: Core, { info, psn }: Packet, wqe: SendWqe, last: boolean): boolean => {
    const position = info?.operation ?? '';
    // After a retry from here, a response to the request before it is as good as one to the new request.
    const first = wqe.starts.includes(psn);
    if (psn === wqe.psn) return position.endsWith(last ? '_ONLY' : '_FIRST');
    if (last) return position.endsWith('_LAST') || (first && position.endsWith('_ONLY'));
    return position.endsWith('_MIDDLE') || (first && position.endsWith('_FIRST'));
  },
);

/** An ATOMIC ACK with a PSN in the window. */
export function handleAtomic(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, atomicOriginal } = packet;
  const wqe = find(qp, psn);
  if (wqe?.kind !== 'atomic' || atomicOriginal === undefined) {
    refuseAnswer(core, qp, 'badResponse');
    return;
  }
  if (!acknowledge(core, qp, psn)) {
    impliedNak(core, qp, psn);
    return;
  }
  if (!storeResult(core, qp, wqe, resultBytes(atomicOriginal))) {
    failHead(core, qp, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  advance(core, qp, psnAdd(psn, 1));
}

/** Places the result of an ATOMIC; false where its memory may not be written. */
export const storeResult = seam(
  ({ memory }: Core, { pd }: QueuePair, { wr }: SendWqe, result: Uint8Array): boolean =>
    scatter(memory, wr.sg_list, 0, result, pd),
);

/** The result of an ATOMIC as it lies in the memory of the host, which is little endian. */
export function resultBytes(original: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, original, true);
  return bytes;
}
