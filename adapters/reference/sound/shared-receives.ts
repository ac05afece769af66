import { VerbsError } from '../../adapter.ts';
import { dequeue } from '../rc-responder/receive.ts';
import { choicesAt } from '../seam.ts';
import { EINVAL } from '../verbs/errno.ts';
import { enqueue } from '../verbs/post.ts';
import { failsNow, hasFailed, raiseSrqError, spreadSrqError } from '../verbs/srq-error.ts';

/** A device whose SRQs fail for good. */
export const sharedReceives = [
  choicesAt(enqueue, {
    'srq-fatal': (sound, device, call, queue, wr) => {
      if (hasFailed(queue)) throw new VerbsError(call, EINVAL);
      sound(device, call, queue, wr);
      if (!failsNow(queue)) return;
      raiseSrqError(device, queue);
      spreadSrqError(device, queue);
    },
  }),

  choicesAt(dequeue, {
    'srq-fatal': (sound, core, qp) => (hasFailed(qp.receiveQueue) ? undefined : sound(core, qp)),
  }),
];
