import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';

/** True while a started WQE of an SQD queue is not finished. */
export function draining(qp: QueuePair): boolean {
  return qp.requester.queue[0]?.launched === true;
}

/** SQ_DRAINED, once for each stay in SQD, when nothing that was started is left. */
export function noticeDrained(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  if (qp.state !== 'IBV_QPS_SQD' || q.drainNotified || !isDrained(core, qp)) return;
  q.drainNotified = true;
  announceDrained(core, qp);
}

export const isDrained = seam((_core: Core, qp: QueuePair): boolean => !draining(qp));

/** The event, if software asked for it. */
export const announceDrained = seam((core: Core, qp: QueuePair): void => {
  if (qp.attr.en_sqd_async_notify === true) raiseDrained(core, qp);
});

export function raiseDrained(core: Core, qp: QueuePair): void {
  core.raise({ event_type: 'IBV_EVENT_SQ_DRAINED', qp_num: qp.num });
}
