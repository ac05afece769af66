import { called } from '../device/pump.ts';
import { detectedAfter } from '../rc-requester/timers.ts';
import { rnrWait } from '../rc-requester/rnr.ts';
import { readSlots } from '../rc-requester/launch.ts';
import { timeoutOf } from '../ooo/timer.ts';
import { waitAnew } from '../congestion/wait.ts';
import { choicesAt } from '../seam.ts';
import { lot } from './lot.ts';

/** Requesters, and responders of READs, that choose otherwise when they send. */
export const timing = [
  choicesAt(called, {
    immediate: (_sound, _core, qp) => {
      qp.pump();
    },
  }),

  choicesAt(detectedAfter, {
    'timers-anywhere': (_sound, core, _qp, t) => Math.round(t * (1 + 3 * lot(core))),
  }),

  choicesAt(timeoutOf, {
    'timers-anywhere': (sound, core, q) => Math.round(sound(core, q) * (1 + 3 * lot(core))),
  }),

  choicesAt(rnrWait, {
    'timers-anywhere': (sound, core, qp, code) =>
      Math.round(sound(core, qp, code) * (1 + 9 * lot(core) ** 3)),
  }),

  choicesAt(waitAnew, { 'gap-kept': () => undefined }),

  choicesAt(readSlots, { 'one-read': (sound, core, qp) => Math.min(1, sound(core, qp)) }),
];
