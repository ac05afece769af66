import { flushed } from '../device/flush.ts';
import type { QueuePair } from '../device/qp.ts';
import { completeReceive } from '../rc-responder/receive.ts';
import { choicesAt } from '../seam.ts';

/** messages of a life with which a QP fails for good */
const some = 3;
/** received messages of a life, by what RESET makes anew */
const received = new WeakMap<QueuePair['responder'], number>();

/** A device whose QPs fail for good by themselves. */
export const fatal = [
  choicesAt(completeReceive, {
    'qp-fatal': (sound, core, qp, ...message) => {
      sound(core, qp, ...message);
      const count = (received.get(qp.responder) ?? 0) + 1;
      received.set(qp.responder, count);
      if (count !== some || qp.state === 'IBV_QPS_ERR') return;
      core.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: qp.num });
      core.fail(qp);
    },
  }),

  choicesAt(flushed, {
    'qp-fatal': (sound, core, qp, queue, wrId) => {
      if ((received.get(qp.responder) ?? 0) < some) sound(core, qp, queue, wrId);
    },
  }),
];
