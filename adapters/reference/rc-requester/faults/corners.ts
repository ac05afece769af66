import { flushSends } from '../../device/flush.ts';
import { faultsAt } from '../../seam.ts';
import { succeedAll } from '../complete.ts';
import { failRefused } from '../nak.ts';
import { reloadRetries, reloadRnrRetries } from '../progress.ts';
import type { RequesterState } from '../state.ts';

/** requesters whose newest progress was an answer to READs and ATOMICs alone */
const answered = new WeakSet<RequesterState>();

/** Work requests that are flushed in their order. */
const inOrder = 8;

/** What goes wrong after some events, but not after others of the same kind. */
export const cornerFaults = [
  faultsAt(succeedAll, {
    'rnr-counter-not-reloaded-by-reads': (sound, core, qp, passed) => {
      const data = passed.some(({ kind }) => kind === 'send' || kind === 'write');
      if (data) answered.delete(qp.requester);
      else answered.add(qp.requester);
      sound(core, qp, passed);
    },
  }),
  faultsAt(reloadRnrRetries, {
    'rnr-counter-not-reloaded-by-reads': (sound, core, qp) => {
      if (!answered.has(qp.requester)) sound(core, qp);
    },
  }),

  faultsAt(reloadRetries, {
    'retry-counter-reloaded-when-spent': (sound, core, qp) => {
      if (qp.requester.retriesLeft <= 0) sound(core, qp);
    },
  }),

  faultsAt(failRefused, {
    'fatal-nak-ignored-in-rnr-wait': (sound, core, qp, psn, status) => {
      if (qp.requester.rnrTimer === undefined) sound(core, qp, psn, status);
    },
  }),

  faultsAt(flushSends, {
    'flush-order-beyond-eight': (sound, core, qp, left) =>
      sound(core, qp, [...left.slice(0, inOrder), ...left.slice(inOrder).toReversed()]),
  }),
];
