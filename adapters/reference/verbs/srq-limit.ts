import type { Core } from '../device/core.ts';
import type { Fault } from '../attributes/faults.ts';
import type { ReceiveQueue } from '../device/receive-queue.ts';

/** SRQ_LIMIT_REACHED where an SRQ holds fewer WQEs than its limit; one shot, until modify_srq arms it again. */
export function noticeLimit(core: Core, queue: ReceiveQueue): void {
  const { fault } = core;
  if (queue.srq === undefined || queue.wqes.length >= queue.limit + shift(fault)) return;
  if (fault === 'srq-limit-once' && fired.has(queue)) return;
  fired.add(queue);
  if (fault === 'srq-limit-told-after') told.set(queue, queue.limit);
  if (fault !== 'srq-limit-repeated') queue.limit = 0;
  if (fault !== 'srq-limit-missing')
    core.raise({ event_type: 'IBV_EVENT_SRQ_LIMIT_REACHED', srq: queue.srq });
}

function shift(fault: Fault): number {
  if (fault === 'srq-limit-early') return 4;
  return fault === 'srq-limit-late' ? -1 : 0;
}

/** SRQs whose event has been raised, and the limit that a mutant goes on to tell */
const fired = new WeakSet<ReceiveQueue>();
const told = new WeakMap<ReceiveQueue, number>();

/** The limit that ibv_query_srq gives. */
export function limitToTell({ fault }: Core, queue: ReceiveQueue): number {
  if (fault === 'srq-limit-not-told') return 0;
  if (fault === 'srq-limit-of-size' && queue.limit === 0 && !fired.has(queue)) return queue.capacity;
  return queue.limit === 0 ? (told.get(queue) ?? 0) : queue.limit;
}
