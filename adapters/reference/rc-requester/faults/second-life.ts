import { fillCounters } from '../../attributes/modify.ts';
import type { QueuePair } from '../../device/qp.ts';
import { reset } from '../../device/reset.ts';
import { faultsAt } from '../../seam.ts';
import { reloadRetries, reloadRnrRetries } from '../progress.ts';
import type { RequesterState } from '../state.ts';

/** retries that were left when a QP was reset */
const spent = new WeakMap<QueuePair, Pick<RequesterState, 'retriesLeft' | 'rnrLeft'>>();

/** what the retry counters of a QP were loaded with first */
const firstRetries = new WeakMap<QueuePair, number>();
const firstRnrRetries = new WeakMap<QueuePair, number>();

/** What was kept for a QP first, which is this where nothing was. */
function keptFirst(kept: WeakMap<QueuePair, number>, qp: QueuePair, now: number): number {
  const first = kept.get(qp) ?? now;
  kept.set(qp, first);
  return first;
}

/** RESET does not reach all of a requester, and a call not what its counters are loaded with. */
export const secondLifeFaults = [
  faultsAt(reset, {
    'retry-counters-survive-reset': (sound, device, qp) => {
      const { retriesLeft, rnrLeft } = qp.requester;
      if (qp.state !== 'IBV_QPS_INIT' && qp.state !== 'IBV_QPS_RESET')
        spent.set(qp, { retriesLeft, rnrLeft });
      sound(device, qp);
    },
  }),

  faultsAt(reloadRetries, {
    'retries-reloaded-as-first': (_sound, _core, qp) => {
      qp.requester.retriesLeft = keptFirst(firstRetries, qp, qp.attr.retry_cnt ?? 0);
    },
  }),
  faultsAt(reloadRnrRetries, {
    'rnr-retries-reloaded-as-first': (_sound, _core, qp) => {
      qp.requester.rnrLeft = keptFirst(firstRnrRetries, qp, qp.attr.rnr_retry ?? 0);
    },
  }),

  faultsAt(fillCounters, {
    'retry-counters-survive-reset': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      const left = spent.get(qp);
      if (attr.retry_cnt !== undefined && left !== undefined) Object.assign(qp.requester, left);
    },
  }),
];
