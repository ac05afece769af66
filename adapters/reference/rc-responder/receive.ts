import type { Wc, WcOpcode } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { noticeLimit } from '../verbs/srq-limit.ts';
import { sendRnrNak } from './reply.ts';

/** Takes the oldest receive WQE; without one the peer gets an RNR NAK and the QP waits for this PSN. */
export function takeWqe(core: Core, qp: QueuePair, psn: number): RecvWqe | undefined {
  if (core.fault === 'rnr-consumes-wqe' && qp.responder.rnrSent) qp.receiveQueue.wqes.shift();
  qp.responder.rnrSent = false;
  const wqe = nextWqe(core, qp);
  if (wqe !== undefined) return wqe;
  qp.responder.rnrSent = true;
  sendRnrNak(core, qp, psn);
  qp.responder.waiting = 'rnr';
  return undefined;
}

/** Takes the oldest receive WQE, if there is one. */
export function nextWqe(core: Core, { receiveQueue: queue }: QueuePair): RecvWqe | undefined {
  const wqe = core.fault === 'receive-queue-last-first' ? queue.wqes.pop() : queue.wqes.shift();
  if (wqe === undefined) return undefined;
  if (queue.limit > 0) noticeLimit(core, queue);
  return wqe;
}

/** The completion of a received message. */
export function completeReceive(
  core: Core,
  qp: QueuePair,
  packet: Packet,
  wqe: RecvWqe,
  opcode: WcOpcode,
  bytes: number,
): void {
  if (core.fault === 'completion-missing') return;
  const wc: Wc = {
    wr_id: wqe.wr_id,
    status: 'IBV_WC_SUCCESS',
    opcode,
    byte_len: core.fault === 'byte-len-of-last-packet' ? packet.payloadLength : bytes,
    qp_num: qp.num,
  };
  const { immediate, invalidateRkey } = packet;
  if (immediate !== undefined)
    wc.imm_data = core.fault === 'immediate-byte-order' ? swap32(immediate) : immediate;
  if (invalidateRkey !== undefined) wc.invalidated_rkey = invalidateRkey;
  if (qp.service === 'UD') {
    const source = packet.deth?.srcQp ?? 0;
    wc.src_qp = core.fault === 'ud-source-number-wrong' ? qp.num : source;
    wc.grh = core.fault !== 'ud-grh-flag-missing';
  }
  core.complete(qp.recvCq, wc);
  if (core.fault === 'completion-doubled') core.complete(qp.recvCq, { ...wc });
}

function swap32(value: number): number {
  return (((value & 0xff) << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0;
}
