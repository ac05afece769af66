import type { Wc, WcOpcode } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { seam } from '../seam.ts';
import { noticeLimit } from '../verbs/srq-limit.ts';
import { sendRnrNak } from './reply.ts';

/** Takes the oldest receive WQE; without one the peer gets an RNR NAK and the QP waits for this PSN. */
export const takeWqe = seam((core: Core, qp: QueuePair, psn: number): RecvWqe | undefined => {
  const wqe = nextWqe(core, qp);
  if (wqe !== undefined) return wqe;
  sendRnrNak(core, qp, psn);
  qp.responder.waiting = 'rnr';
  return undefined;
});

/** Takes the oldest receive WQE, if there is one. */
export function nextWqe(core: Core, qp: QueuePair): RecvWqe | undefined {
  const { receiveQueue: queue } = qp;
  const wqe = dequeue(core, qp);
  if (wqe === undefined) return undefined;
  if (queue.limit > 0) noticeLimit(core, queue);
  return wqe;
}

export const dequeue = seam((_core: Core, { receiveQueue: { wqes } }: QueuePair): RecvWqe | undefined =>
  wqes.shift(),
);

/** The completion of a received message. */
export const completeReceive = seam(
  (core: Core, qp: QueuePair, packet: Packet, wqe: RecvWqe, opcode: WcOpcode, bytes: number): void => {
    core.complete(qp.recvCq, receiptOf(core, qp, packet, wqe, opcode, bytes), asksForEvent(core, packet));
  },
);

export const receiptOf = seam(
  (_core: Core, qp: QueuePair, packet: Packet, { wr_id }: RecvWqe, opcode: WcOpcode, bytes: number): Wc => {
    const wc: Wc = { wr_id, status: 'IBV_WC_SUCCESS', opcode, byte_len: bytes, qp_num: qp.num };
    const { immediate, invalidateRkey, deth } = packet;
    if (immediate !== undefined) wc.imm_data = immediate;
    if (invalidateRkey !== undefined) wc.invalidated_rkey = invalidateRkey;
    if (qp.service === 'UD') {
      wc.src_qp = deth?.srcQp ?? 0;
      wc.grh = true;
    }
    return wc;
  },
);

/** Whether the sender of a message asked for an event: its last packet says so. */
export const asksForEvent = seam((_core: Core, { solicited }: Packet): boolean => solicited);
