import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';

/** COMM_EST, once for each stay in RTR. */
export const announce = seam((core: Core, qp: QueuePair): void => {
  if (qp.state !== 'IBV_QPS_RTR' || qp.established) return;
  qp.established = true;
  core.raise({ event_type: 'IBV_EVENT_COMM_EST', qp_num: qp.num });
});
