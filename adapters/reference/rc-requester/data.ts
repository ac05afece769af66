import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { failHead } from './complete.ts';
import { impliedNak } from './implied-nak.ts';
import { acknowledge, advance } from './progress.ts';
import { refuseAnswer } from './refuse-answer.ts';
import type { SendWqe } from './state.ts';
import { find } from './window.ts';

/** A READ response with a PSN in the window. */
export function handleRead(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, payload } = packet;
  const { fault } = core;
  const wqe = find(qp, psn);
  if (wqe?.kind !== 'read') {
    refuseAnswer(core, qp, 'badResponse');
    return;
  }
  const gapIgnored = fault === 'read-gap-accepted' && find(qp, qp.requester.una) === wqe;
  // Also acknowledges what was sent before the READ; a hole before this response is an implied NAK.
  if (!gapIgnored && !acknowledge(core, qp, psn)) {
    impliedNak(core, qp, psn);
    return;
  }
  const offset = psnDiff(psn, wqe.psn) * qp.mtu;
  const last = psnDiff(psn, wqe.psn) === wqe.packets - 1;
  const expected = last ? wqe.length - offset : qp.mtu;
  const fits = payload.length === expected || fault === 'read-length-unchecked';
  if (!fits || !positionFits(packet, wqe, last)) {
    refuseAnswer(core, qp, 'badResponse');
    return;
  }
  const start = wqe.starts.at(-1) ?? wqe.psn;
  const place =
    fault === 'read-data-misplaced' && psnDiff(psn, start) >= 0 ? psnDiff(psn, start) * qp.mtu : offset;
  if (!core.memory.scatter(wqe.wr.sg_list, place, payload, qp.pd)) {
    failHead(core, qp, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  advance(core, qp, fault === 'read-completes-early' ? psnAdd(wqe.psn, wqe.packets) : psnAdd(psn, 1));
}

function positionFits({ info, psn }: Packet, wqe: SendWqe, last: boolean): boolean {
  const position = info?.operation ?? '';
  // After a retry from here, a response to the request before it is as good as one to the new request.
  const first = wqe.starts.includes(psn);
  if (psn === wqe.psn) return position.endsWith(last ? '_ONLY' : '_FIRST');
  if (last) return position.endsWith('_LAST') || (first && position.endsWith('_ONLY'));
  return position.endsWith('_MIDDLE') || (first && position.endsWith('_FIRST'));
}

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
  if (!core.memory.scatter(wqe.wr.sg_list, 0, resultBytes(atomicOriginal), qp.pd)) {
    failHead(core, qp, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  advance(core, qp, psnAdd(psn, 1));
}

/** The result of an ATOMIC as it lies in the memory of the host, which is little endian. */
export function resultBytes(original: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, original, true);
  return bytes;
}
