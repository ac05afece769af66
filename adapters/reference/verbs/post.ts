import type { RecvWr, SendWr } from '../../../spec/verbs.ts';
import { VerbsError } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { inlineData, sgeBytes } from '../device/sge-list.ts';
import { flushed } from '../device/flush.ts';
import { EINVAL, ENOMEM } from './errno.ts';
import { receivePosted, sendPosted } from './posting-states.ts';
import { resetQp, type QueuePair } from '../device/qp.ts';
import type { ReceiveQueue } from '../device/receive-queue.ts';
import { schedule } from '../device/pump.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { badOpcode, defectOf, destinationOf, interpreted, qkeyOf } from './send-request.ts';

/** ibv_post_send of one WR. */
export function postSend(device: Device, qp: QueuePair, asked: SendWr): void {
  const refuse = (errno: number): never => {
    throw new VerbsError('post_send', errno);
  };
  const { config, fault } = device;
  const signaled = qp.signalAll || asked.send_flags?.includes('IBV_SEND_SIGNALED') === true;
  switch (sendPosted(fault, qp.state, signaled)) {
    case 'taken':
    case 'held':
      break;
    case 'refused':
      refuse(EINVAL);
      break;
    case 'forgotten':
      return;
    case 'flushed':
      flushed(device, qp, 'send', asked.wr_id);
      if (fault === 'flushed-post-resets') resetQp(qp);
      return;
  }
  const room = qp.cap.max_send_wr + (fault === 'send-queue-overfilled' ? 1 : 0);
  if (qp.requester.queue.length >= room) {
    if (fault === 'refused-post-fatal') device.fail(qp);
    refuse(ENOMEM);
  }
  const { wr, kind } = interpreted(asked);
  const length = sgeBytes(wr.sg_list);
  const defect = kind === undefined ? badOpcode(fault) : defectOf(device, qp, wr, length);
  if (defect !== undefined && config.malformed === 'refuse') refuse(EINVAL);
  const datagram = qp.service === 'UD';
  const nowhere = datagram && (device.ahs.get(wr.ah ?? 0) === undefined || (wr.remote_qpn ?? 0) > 0xffffff);
  if (nowhere || (datagram && length > qp.mtu && config.longDatagram === 'refuse')) refuse(EINVAL);
  if (kind === 'atomic' && length !== 8) refuse(EINVAL);
  const inline = wr.send_flags?.includes('IBV_SEND_INLINE') === true;
  if (inline && (length > (qp.cap.max_inline_data ?? 0) || kind === 'read' || kind === 'atomic'))
    refuse(EINVAL);
  const kept = { ...wr, sg_list: wr.sg_list.map((sge) => ({ ...sge })) };
  if (fault === 'many-elements-cut') kept.sg_list.splice(qp.cap.max_send_sge);
  const wqe: SendWqe = {
    wr: kept,
    kind: kind ?? 'send',
    length: fault === 'many-elements-cut' ? sgeBytes(kept.sg_list) : length,
    signaled,
    inline:
      inline && fault !== 'inline-data-late' ? inlineData(device.memory, wr.sg_list, length) : undefined,
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
  if (qp.receiveQueue.srq !== undefined) throw new VerbsError('post_recv', EINVAL);
  switch (receivePosted(device.fault, qp.state)) {
    case 'refused':
      throw new VerbsError('post_recv', EINVAL);
    case 'forgotten':
      return;
    case 'flushed':
      flushed(device, qp, 'recv', wr.wr_id);
      return;
    case 'taken':
    case 'held':
      enqueue(device, 'post_recv', qp.receiveQueue, wr);
  }
}

/** Puts a receive WQE on a queue; ENOMEM where it is full, EINVAL for too many elements where the device says so at once. */
export function enqueue({ config, fault }: Device, call: string, queue: ReceiveQueue, wr: RecvWr): void {
  const lax = fault === (queue.srq === undefined ? 'receive-queue-overfilled' : 'shared-queue-overfilled');
  if (queue.wqes.length >= queue.capacity + (lax ? 1 : 0)) throw new VerbsError(call, ENOMEM);
  const malformed = wr.sg_list.length > queue.maxSge;
  if (malformed && config.malformed === 'refuse') throw new VerbsError(call, EINVAL);
  const sg_list = wr.sg_list.map((sge) => ({ ...sge }));
  queue.wqes.push(malformed ? { wr_id: wr.wr_id, sg_list, malformed } : { wr_id: wr.wr_id, sg_list });
}
