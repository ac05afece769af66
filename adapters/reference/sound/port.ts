import type { Wc } from '../../../spec/verbs.ts';
import type { CompletionQueue } from '../device/cq.ts';
import { enterCq, tell } from '../device/report.ts';
import { choicesAt } from '../seam.ts';
import { lot } from './lot.ts';
import { queued } from './queue.ts';

/** the longest that a completion or event takes to software; nanoseconds */
const longest = 6000;

/** Reports that take their time. */
export const port = [
  choicesAt(enterCq, {
    'late-reports': (sound, device, cq: CompletionQueue, wc: Wc) => {
      queued(device, cq, { delay: Math.round(lot(device) * longest) }, () => {
        sound(device, cq, wc);
      });
    },
  }),

  choicesAt(tell, {
    'late-reports': (sound, device, event) => {
      queued(device, device, { delay: Math.round(lot(device) * longest) }, () => {
        sound(device, event);
      });
    },
  }),
];
