import { dequeue } from '../../rc-responder/receive.ts';
import { faultsAt } from '../../seam.ts';
import { enqueue } from '../post.ts';
import { isSrqUsed } from '../shared-receive-queues.ts';
import { hasFailed, postUntilFailed } from '../srq-error.ts';

/** A device whose SRQs fail for good, and cannot be given back then. */
export const failedSrqFaults = [
  faultsAt(enqueue, {
    'failed-srq-kept': (sound, device, call, queue, wr) => {
      postUntilFailed(device, call, queue, () => {
        sound(device, call, queue, wr);
      });
    },
  }),
  faultsAt(dequeue, {
    'failed-srq-kept': (sound, core, qp) => (hasFailed(qp.receiveQueue) ? undefined : sound(core, qp)),
  }),
  faultsAt(isSrqUsed, {
    'failed-srq-kept': (sound, device, queue) => hasFailed(queue) || sound(device, queue),
  }),
];
