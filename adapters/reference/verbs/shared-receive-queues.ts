import { VerbsError, type Verbs } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { seam } from '../seam.ts';
import { EBUSY, EINVAL, EOPNOTSUPP } from './errno.ts';
import { enqueue, postEach } from './post.ts';
import { makeReceiveQueue, type ReceiveQueue } from '../device/receive-queue.ts';
import { armLimit, limitToTell, noticeLimit } from './srq-limit.ts';

type SrqChange = Parameters<SrqVerbs['modify_srq']>[1];
type SrqVerbs = Required<
  Pick<Verbs, 'create_srq' | 'modify_srq' | 'query_srq' | 'destroy_srq' | 'post_srq_recv'>
>;

/** The verbs of shared receive queues. */
export function makeSrqVerbs(device: Device): SrqVerbs {
  const { pds, srqs } = device;
  const need = (call: string, srq: number): ReceiveQueue => {
    const queue = srqs.get(srq);
    if (queue === undefined) throw new VerbsError(call, EINVAL);
    return queue;
  };
  return {
    async create_srq({ pd, max_wr, max_sge, srq_limit = 0 }) {
      const sound = pds.has(pd) && fits(max_wr, limits.maxSrqWr) && max_sge <= limits.maxSge;
      if (!sound || srq_limit > max_wr) throw new VerbsError('create_srq', EINVAL);
      const srq = device.nextHandle++;
      const room = sharedRoomFor(device, max_wr);
      const queue = makeReceiveQueue(pd, room, max_sge, srq);
      queue.limit = srq_limit;
      srqs.set(srq, queue);
      return srq;
    },
    async modify_srq(srq, attr) {
      const queue = need('modify_srq', srq);
      if (!isOffered(device, attr)) throw new VerbsError('modify_srq', EOPNOTSUPP);
      const capacity = attr.max_wr ?? queue.capacity;
      const limit = attr.srq_limit ?? 0;
      if (!fits(capacity, limits.maxSrqWr) || capacity < queue.wqes.length || limit < 0 || limit > capacity)
        throw refusedChange(device, queue, capacity);
      if (attr.max_wr !== undefined) resizeShared(device, queue, capacity);
      if (attr.srq_limit === undefined) return;
      armLimit(device, queue, limit);
      if (device.config.srqLimitAtOnce) noticeLimit(device, queue);
    },
    async query_srq(srq) {
      const queue = need('query_srq', srq);
      return { max_wr: queue.capacity, max_sge: queue.maxSge, srq_limit: limitToTell(device, queue) };
    },
    async destroy_srq(srq) {
      const queue = need('destroy_srq', srq);
      if (isSrqUsed(device, queue)) throw new VerbsError('destroy_srq', EBUSY);
      srqs.delete(srq);
    },
    async post_srq_recv(srq, wr, next = []) {
      const queue = need('post_srq_recv', srq);
      postEach(device, [wr, ...next], (one) => {
        enqueue(device, 'post_srq_recv', queue, one);
      });
    },
  };
}

/** Whether a QP is on an SRQ, which cannot go then. */
export const isSrqUsed = seam(({ qps }: Device, queue: ReceiveQueue): boolean =>
  [...qps.values()].some((qp) => qp.receiveQueue === queue),
);

/** An ibv_modify_srq that is refused changes nothing. */
export const refusedChange = seam(
  (_device: Device, _queue: ReceiveQueue, _capacity: number): VerbsError =>
    new VerbsError('modify_srq', EINVAL),
);

/** WQEs of an SRQ of which so many were asked for. */
export const sharedRoomFor = seam((_device: Device, asked: number): number => asked);

/** Whether the device can change what modify_srq asks it to. */
export const isOffered = seam(
  ({ config }: Device, { max_wr }: SrqChange): boolean => config.srqResize || max_wr === undefined,
);

function fits(value: number, max: number): boolean {
  return value >= 1 && value <= max;
}

/** An SRQ gets room for so many WQEs, and keeps what is on it, and its limit. */
export const resizeShared = seam((_device: Device, queue: ReceiveQueue, capacity: number): void => {
  queue.capacity = capacity;
});
