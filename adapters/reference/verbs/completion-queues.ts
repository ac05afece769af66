import { VerbsError, type Verbs } from '../../adapter.ts';
import { arm } from '../cq-event/notification.ts';
import { makeCq, type CompletionQueue } from '../device/cq.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { seam } from '../seam.ts';
import { EBUSY, EINVAL, need } from './errno.ts';

type CqVerbs = Pick<Verbs, 'create_cq' | 'destroy_cq' | 'poll_cq' | 'req_notify_cq' | 'onCqEvent'> &
  Required<Pick<Verbs, 'cq_size' | 'resize_cq'>>;

/** Entries of a CQ of which so many were asked for. */
export const entriesFor = seam((_device: Device, asked: number): number => asked);

/** Likewise of one that there is. */
export const entriesAfter = seam((device: Device, _queue: CompletionQueue, asked: number): number =>
  entriesFor(device, asked),
);

/** Whether so many entries are enough for what is in a CQ. */
export const holdsAll = seam(
  (_device: Device, { entries }: CompletionQueue, cqe: number): boolean => cqe >= entries.length,
);

/** Whether a QP is on a CQ, which cannot go then. */
export const isCqUsed = seam(({ qps }: Device, cq: CompletionQueue): boolean =>
  [...qps.values()].some((qp) => qp.sendCq === cq || qp.recvCq === cq),
);

/** The verbs of completion queues. */
export function makeCqVerbs(device: Device): CqVerbs {
  const { cqs } = device;
  return {
    async create_cq({ cqe }) {
      if (cqe < 1 || cqe > limits.maxCqe) throw new VerbsError('create_cq', EINVAL);
      const cq = device.nextHandle++;
      cqs.set(cq, makeCq(cq, entriesFor(device, cqe)));
      return cq;
    },
    async cq_size(cq) {
      return need('cq_size', cqs.get(cq)).capacity;
    },
    async resize_cq(cq, cqe) {
      const queue = need('resize_cq', cqs.get(cq));
      if (cqe < 1 || cqe > limits.maxCqe || !holdsAll(device, queue, cqe))
        throw new VerbsError('resize_cq', EINVAL);
      queue.capacity = entriesAfter(device, queue, cqe);
      return queue.capacity;
    },
    async destroy_cq(cq) {
      const queue = need('destroy_cq', cqs.get(cq));
      if (isCqUsed(device, queue)) throw new VerbsError('destroy_cq', EBUSY);
      cqs.delete(cq);
    },
    async poll_cq(cq, max) {
      const queue = need('poll_cq', cqs.get(cq));
      return queue.failed ? [] : queue.entries.splice(0, max);
    },
    async req_notify_cq(cq, solicitedOnly = false) {
      arm(device, need('req_notify_cq', cqs.get(cq)), solicitedOnly);
    },
    onCqEvent(listener) {
      device.cqListener = listener;
    },
  };
}
