import type { Core } from './core.ts';
import type { ReceiveQueue } from './receive-queue.ts';

/** SRQ_LIMIT_REACHED where an SRQ holds fewer WQEs than its limit; one shot, until modify_srq arms it again. */
export function noticeLimit(core: Core, queue: ReceiveQueue): void {
  if (queue.srq === undefined || queue.wqes.length >= queue.limit) return;
  queue.limit = 0;
  core.raise({ event_type: 'IBV_EVENT_SRQ_LIMIT_REACHED', srq: queue.srq });
}
