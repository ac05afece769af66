import type { RecvWr, SendWr } from '../../spec/verbs.ts';
import { VerbsError } from '../adapter.ts';
import type { Device } from './device.ts';
import { flushed } from './flush.ts';
import { limits } from './limits.ts';
import { sgeBytes } from './memory.ts';
import type { QueuePair } from './qp.ts';
import type { ReceiveQueue } from './receive-queue.ts';
import { schedule } from './requester/send.ts';
import type { SendWqe } from './requester/state.ts';

const ENOMEM = 12;
const EINVAL = 22;

/** ibv_post_send of one WR. */
export function postSend(device: Device, qp: QueuePair, wr: SendWr): void {
  const refuse = (errno: number): never => {
    throw new VerbsError('post_send', errno);
  };
  switch (qp.state) {
    case 'IBV_QPS_RTS':
    case 'IBV_QPS_SQD':
      break;
    case 'IBV_QPS_ERR':
    case 'IBV_QPS_SQE':
      if (device.fault !== 'post-in-error-ignored') flushed(device, qp, 'send', wr.wr_id);
      return;
    case 'IBV_QPS_RESET':
    case 'IBV_QPS_INIT':
    case 'IBV_QPS_RTR':
      refuse(EINVAL);
  }
  if (qp.requester.queue.length >= qp.cap.max_send_wr) refuse(ENOMEM);
  if (wr.sg_list.length > qp.cap.max_send_sge) refuse(EINVAL);
  const length = sgeBytes(wr.sg_list);
  const kind = kindOf(wr);
  if (length > limits.maxMessageBytes || (kind === 'atomic' && length !== 8)) refuse(EINVAL);
  const inline = wr.send_flags?.includes('IBV_SEND_INLINE') === true;
  if (inline && (length > (qp.cap.max_inline_data ?? 0) || kind === 'read' || kind === 'atomic'))
    refuse(EINVAL);
  const wqe: SendWqe = {
    wr: { ...wr, sg_list: wr.sg_list.map((sge) => ({ ...sge })) },
    kind,
    length,
    signaled: qp.signalAll || wr.send_flags?.includes('IBV_SEND_SIGNALED') === true,
    inline: inline ? device.memory.gather(wr.sg_list, 0, length, qp.pd) : undefined,
    psn: 0,
    packets: 0,
    launched: false,
    starts: [],
  };
  qp.requester.queue.push(wqe);
  schedule(device, qp);
}

function kindOf(wr: SendWr): SendWqe['kind'] {
  switch (wr.opcode) {
    case 'IBV_WR_SEND':
    case 'IBV_WR_SEND_WITH_IMM':
    case 'IBV_WR_SEND_WITH_INV':
      return 'send';
    case 'IBV_WR_RDMA_WRITE':
    case 'IBV_WR_RDMA_WRITE_WITH_IMM':
      return 'write';
    case 'IBV_WR_RDMA_READ':
      return 'read';
    case 'IBV_WR_ATOMIC_CMP_AND_SWP':
    case 'IBV_WR_ATOMIC_FETCH_AND_ADD':
      return 'atomic';
  }
}

/** ibv_post_recv of one WR. */
export function postRecv(device: Device, qp: QueuePair, wr: RecvWr): void {
  if (qp.state === 'IBV_QPS_RESET' || qp.receiveQueue.srq !== undefined)
    throw new VerbsError('post_recv', EINVAL);
  if (qp.state === 'IBV_QPS_ERR') {
    flushed(device, qp, 'recv', wr.wr_id);
    return;
  }
  enqueue('post_recv', qp.receiveQueue, wr);
}

/** Puts a receive WQE on a queue; ENOMEM where it is full, EINVAL for too many elements. */
export function enqueue(call: string, queue: ReceiveQueue, wr: RecvWr): void {
  if (queue.wqes.length >= queue.capacity) throw new VerbsError(call, ENOMEM);
  if (wr.sg_list.length > queue.maxSge) throw new VerbsError(call, EINVAL);
  queue.wqes.push({ wr_id: wr.wr_id, sg_list: wr.sg_list.map((sge) => ({ ...sge })) });
}
