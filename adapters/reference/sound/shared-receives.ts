import { dequeue } from '../rc-responder/receive.ts';
import { choicesAt } from '../seam.ts';
import { enqueue } from '../verbs/post.ts';
import { hasFailed, postUntilFailed } from '../verbs/srq-error.ts';

/** A device whose SRQs fail for good. */
export const sharedReceives = [
  choicesAt(enqueue, {
    'srq-fatal': (sound, device, call, queue, wr) => {
      postUntilFailed(device, call, queue, () => {
        sound(device, call, queue, wr);
      });
    },
  }),

  choicesAt(dequeue, {
    'srq-fatal': (sound, core, qp) => (hasFailed(qp.receiveQueue) ? undefined : sound(core, qp)),
  }),
];
