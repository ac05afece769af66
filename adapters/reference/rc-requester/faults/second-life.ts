import { fillCounters } from '../../attributes/modify.ts';
import type { QueuePair } from '../../device/qp.ts';
import { reset } from '../../device/reset.ts';
import { faultsAt } from '../../seam.ts';
import type { RequesterState } from '../state.ts';

/** retries that were left when a QP was reset */
const spent = new WeakMap<QueuePair, Pick<RequesterState, 'retriesLeft' | 'rnrLeft'>>();

/** RESET does not reach all of a requester. */
export const secondLifeFaults = [
  faultsAt(reset, {
    'retry-counters-survive-reset': (sound, device, qp) => {
      const { retriesLeft, rnrLeft } = qp.requester;
      if (qp.state !== 'IBV_QPS_INIT' && qp.state !== 'IBV_QPS_RESET')
        spent.set(qp, { retriesLeft, rnrLeft });
      sound(device, qp);
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
