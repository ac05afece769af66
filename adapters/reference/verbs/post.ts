import type { RecvWr, SendWr, Sge } from '../../../spec/verbs.ts';
import { VerbsError } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { inlineData, sgeBytes } from '../device/memory/sge-list.ts';
import { flushed } from '../device/flush.ts';
import { seam } from '../seam.ts';
import { EINVAL, ENOMEM } from './errno.ts';
import { receivePosted, sendPosted } from './posting-states.ts';
import type { QueuePair } from '../device/qp.ts';
import type { ReceiveQueue } from '../device/receive-queue.ts';
import { called } from '../device/pump.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { badOpcode, defectOf, destinationOf, interpreted, qkeyOf } from './send-request.ts';

/**
 * Posts the work requests of a list one by one, until one is refused: that one is named, and those behind it are not looked at. What
 * `posts` throws is a VerbsError.
 */
export const postList = seam((device: Device, posts: readonly (() => void)[]): void => {
  for (const [place, post] of posts.entries()) {
    const refusal = refusalOf(post);
    if (refusal !== undefined) throw named(device, refusal, place, posts.length);
  }
});

/** Posts a list of work requests, each by `post`. */
export function postEach<Wr>(device: Device, wrs: readonly Wr[], post: (wr: Wr) => void): void {
  postList(
    device,
    wrs.map((wr) => () => {
      post(wr);
    }),
  );
}

/** Why a work request is refused; `undefined`: it was taken. */
export function refusalOf(post: () => void): VerbsError | undefined {
  try {
    post();
    return undefined;
  } catch (error) {
    if (error instanceof VerbsError) return error;
    throw error;
  }
}

/** The refusal of a list of `_length`, whose work request at `place` was refused. */
export const named = seam(
  (_device: Device, { call, errno }: VerbsError, place: number, _length: number): VerbsError =>
    new VerbsError(call, errno, place),
);

/** ibv_post_send of one WR. */
export function postSend(device: Device, qp: QueuePair, asked: SendWr): void {
  const signaled = isSignaled(device, qp, asked.send_flags?.includes('IBV_SEND_SIGNALED') === true);
  switch (sendPosted(device, qp.state, signaled)) {
    case 'taken':
    case 'held':
      break;
    case 'refused':
      throw new VerbsError('post_send', EINVAL);
    case 'forgotten':
      return;
    case 'flushed':
      flushPosted(device, qp, asked.wr_id);
      return;
  }
  if (qp.requester.queue.length >= sendRoom(device, qp)) throw refusedFull(device, qp);
  qp.requester.queue.push(wqeOf(device, qp, asked, signaled));
  called(device, qp);
}

/** What is posted to a send queue in error. */
export const flushPosted = seam((device: Device, qp: QueuePair, wrId: number): void => {
  flushed(device, qp, 'send', wrId);
});

/** WQEs that a send queue holds. */
export const sendRoom = seam((_device: Device, { cap }: QueuePair): number => cap.max_send_wr);

/** The send queue is full. */
export const refusedFull = seam(
  (_device: Device, _qp: QueuePair): VerbsError => new VerbsError('post_send', ENOMEM),
);

/** The WQE of a work request; throws VerbsError where the device refuses it. */
function wqeOf(device: Device, qp: QueuePair, asked: SendWr, signaled: boolean): SendWqe {
  const { config } = device;
  const { wr, kind } = interpreted(asked);
  const length = sgeBytes(wr.sg_list);
  const defect = kind === undefined ? badOpcode(device) : defectOf(device, qp, wr, length);
  if (defect !== undefined && config.malformed === 'refuse') throw new VerbsError('post_send', EINVAL);
  const datagram = qp.service === 'UD';
  const nowhere = datagram && (device.ahs.get(wr.ah ?? 0) === undefined || (wr.remote_qpn ?? 0) > 0xffffff);
  const endless = datagram && length > qp.mtu && config.longDatagram === 'refuse';
  const inline = wr.send_flags?.includes('IBV_SEND_INLINE') === true;
  const answered = kind === 'read' || kind === 'atomic';
  const unfit = inline && (answered || !inlineFits(device, qp, length));
  if (nowhere || endless || unfit || (kind === 'atomic' && length !== 8))
    throw new VerbsError('post_send', EINVAL);
  const sg_list = elementsOf(device, qp, wr);
  return {
    wr: { ...wr, sg_list },
    kind: kind ?? 'send',
    length: sgeBytes(sg_list),
    signaled,
    inline: inline ? dataOf(device, wr.sg_list, length) : undefined,
    defect,
    to: datagram ? destinationOf(device, qp, wr) : undefined,
    qkey: datagram ? qkeyOf(qp, wr) : 0,
    psn: 0,
    packets: 0,
    launched: false,
    starts: [],
  };
}

/** Whether so many bytes go into a WQE. */
export const inlineFits = seam(
  (_device: Device, { cap: { max_inline_data: most = 0 } }: QueuePair, bytes: number): boolean =>
    bytes <= most,
);

/** The elements that a WQE keeps of a work request. */
export const elementsOf = seam((_device: Device, _qp: QueuePair, { sg_list }: SendWr): Sge[] =>
  sg_list.map((sge) => ({ ...sge })),
);

/** Inline data is copied when it is posted. */
export const dataOf = seam(
  ({ memory }: Device, list: readonly Sge[], length: number): Uint8Array | undefined =>
    inlineData(memory, list, length),
);

/** ibv_post_recv of one WR. */
export function postRecv(device: Device, qp: QueuePair, wr: RecvWr): void {
  if (qp.receiveQueue.srq !== undefined) {
    postUnused(device, qp, wr);
    return;
  }
  switch (receivePosted(device, qp.state)) {
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

/** What a QP on an SRQ makes of a work request for its own receive queue. */
export const postUnused = seam((_device: Device, _qp: QueuePair, _wr: RecvWr): void => {
  throw new VerbsError('post_recv', EINVAL);
});

/** Puts a receive WQE on a queue; ENOMEM where it is full, EINVAL for too many elements where the device says so at once. */
export const enqueue = seam((device: Device, call: string, queue: ReceiveQueue, wr: RecvWr): void => {
  if (queue.wqes.length >= receiveRoom(device, queue)) throw new VerbsError(call, ENOMEM);
  const malformed = wr.sg_list.length > queue.maxSge;
  if (malformed && device.config.malformed === 'refuse') throw new VerbsError(call, EINVAL);
  const sg_list = wr.sg_list.map((sge) => ({ ...sge }));
  queue.wqes.push(malformed ? { wr_id: wr.wr_id, sg_list, malformed } : { wr_id: wr.wr_id, sg_list });
});

/** WQEs that a receive queue holds. */
export const receiveRoom = seam((_device: Device, { capacity }: ReceiveQueue): number => capacity);

/** Whether a work request completes by success as well; `asked`: it says so itself. */
export const isSignaled = seam(
  (_device: Device, { signalAll }: QueuePair, asked: boolean): boolean => signalAll || asked,
);
