import type { RecvWr, SendWr } from '../../spec/verbs.ts';
import { VerbsError } from '../adapter.ts';
import type { Device } from './device.ts';
import { flushed } from './flush.ts';
import { sgeBytes } from './memory.ts';
import type { QueuePair } from './qp.ts';
import type { ReceiveQueue } from './receive-queue.ts';
import { schedule } from './requester/send.ts';
import type { SendWqe } from './requester/state.ts';
import { defectOf, destinationOf, interpreted, qkeyOf } from './send-request.ts';

const ENOMEM = 12;
const EINVAL = 22;

/** ibv_post_send of one WR. */
export function postSend(device: Device, qp: QueuePair, asked: SendWr): void {
  const refuse = (errno: number): never => {
    throw new VerbsError('post_send', errno);
  };
  switch (qp.state) {
    case 'IBV_QPS_RTS':
    case 'IBV_QPS_SQD':
      break;
    case 'IBV_QPS_ERR':
    case 'IBV_QPS_SQE':
      if (device.fault !== 'post-in-error-ignored') flushed(device, qp, 'send', asked.wr_id);
      return;
    case 'IBV_QPS_RESET':
    case 'IBV_QPS_INIT':
    case 'IBV_QPS_RTR':
      refuse(EINVAL);
  }
  if (qp.requester.queue.length >= qp.cap.max_send_wr) refuse(ENOMEM);
  const { wr, kind } = interpreted(asked);
  const length = sgeBytes(wr.sg_list);
  const defect = kind === undefined ? 'IBV_WC_LOC_QP_OP_ERR' : defectOf(device, qp, wr, length);
  const { config } = device;
  if (defect !== undefined && config.malformed === 'refuse') refuse(EINVAL);
  const datagram = qp.service === 'UD';
  if (datagram && (device.ahs.get(wr.ah ?? 0) === undefined || (wr.remote_qpn ?? 0) > 0xffffff))
    refuse(EINVAL);
  if (datagram && length > qp.mtu && config.longDatagram === 'refuse') refuse(EINVAL);
  if (kind === 'atomic' && length !== 8) refuse(EINVAL);
  const inline = wr.send_flags?.includes('IBV_SEND_INLINE') === true;
  if (inline && (length > (qp.cap.max_inline_data ?? 0) || kind === 'read' || kind === 'atomic'))
    refuse(EINVAL);
  const wqe: SendWqe = {
    wr: { ...wr, sg_list: wr.sg_list.map((sge) => ({ ...sge })) },
    kind: kind ?? 'send',
    length,
    signaled: qp.signalAll || wr.send_flags?.includes('IBV_SEND_SIGNALED') === true,
    inline: inline ? device.memory.inline(wr.sg_list, length) : undefined,
    defect,
    to: datagram ? destinationOf(device, qp, wr) : undefined,
    qkey: datagram ? qkeyOf(qp, wr) : 0,
    psn: 0,
    packets: 0,
    launched: false,
    starts: [],
  };
  qp.requester.queue.push(wqe);
  schedule(device, qp);
}

/** ibv_post_recv of one WR. */
export function postRecv(device: Device, qp: QueuePair, wr: RecvWr): void {
  if (qp.state === 'IBV_QPS_RESET' || qp.receiveQueue.srq !== undefined)
    throw new VerbsError('post_recv', EINVAL);
  if (qp.state === 'IBV_QPS_ERR') {
    flushed(device, qp, 'recv', wr.wr_id);
    return;
  }
  enqueue(device, 'post_recv', qp.receiveQueue, wr);
}

/** Puts a receive WQE on a queue; ENOMEM where it is full, EINVAL for too many elements where the device says so at once. */
export function enqueue({ config }: Device, call: string, queue: ReceiveQueue, wr: RecvWr): void {
  if (queue.wqes.length >= queue.capacity) throw new VerbsError(call, ENOMEM);
  const malformed = wr.sg_list.length > queue.maxSge;
  if (malformed && config.malformed === 'refuse') throw new VerbsError(call, EINVAL);
  const sg_list = wr.sg_list.map((sge) => ({ ...sge }));
  queue.wqes.push(malformed ? { wr_id: wr.wr_id, sg_list, malformed } : { wr_id: wr.wr_id, sg_list });
}
