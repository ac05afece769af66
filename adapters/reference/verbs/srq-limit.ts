import type { Core } from '../device/core.ts';
import type { ReceiveQueue } from '../device/receive-queue.ts';
import { seam } from '../seam.ts';

/** SRQ_LIMIT_REACHED where an SRQ holds fewer WQEs than its limit; one shot, until modify_srq arms it again. */
export const noticeLimit = seam((core: Core, queue: ReceiveQueue): void => {
  if (queue.srq === undefined || !isBelowLimit(core, queue)) return;
  disarm(core, queue);
  announceLimit(core, queue.srq);
});

/** ibv_modify_srq with a limit. */
export const armLimit = seam((_core: Core, queue: ReceiveQueue, limit: number): void => {
  queue.limit = limit;
});

export const isBelowLimit = seam(
  (_core: Core, { wqes, limit }: ReceiveQueue): boolean => wqes.length < limit,
);

export const disarm = seam((_core: Core, queue: ReceiveQueue): void => {
  queue.limit = 0;
});

export const announceLimit = seam((core: Core, srq: number): void => {
  core.raise({ event_type: 'IBV_EVENT_SRQ_LIMIT_REACHED', srq });
});

/** The limit that ibv_query_srq gives. */
export const limitToTell = seam((_core: Core, { limit }: ReceiveQueue): number => limit);
