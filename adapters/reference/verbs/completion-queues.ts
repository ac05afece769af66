import { VerbsError, type Verbs } from '../../adapter.ts';
import { arm } from '../cq-event/notification.ts';
import { makeCq } from '../device/cq.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { EBUSY, EINVAL, need } from './errno.ts';

type CqVerbs = Pick<Verbs, 'create_cq' | 'destroy_cq' | 'poll_cq' | 'req_notify_cq' | 'onCqEvent'>;

/** The verbs of completion queues. */
export function makeCqVerbs(device: Device): CqVerbs {
  const { cqs, qps } = device;
  return {
    async create_cq({ cqe }) {
      if (cqe < 1 || cqe > limits.maxCqe) throw new VerbsError('create_cq', EINVAL);
      const cq = device.nextHandle++;
      cqs.set(cq, makeCq(cq, cqe));
      return cq;
    },
    async destroy_cq(cq) {
      const queue = need('destroy_cq', cqs.get(cq));
      if ([...qps.values()].some((qp) => qp.sendCq === queue || qp.recvCq === queue))
        throw new VerbsError('destroy_cq', EBUSY);
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
