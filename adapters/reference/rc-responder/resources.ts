import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { refuse } from './refuse.ts';
import type { Resource } from './state.ts';

/** Whether the QP takes no READ or ATOMIC at all. */
export const hasNoResource = seam(
  (_core: Core, { attr }: QueuePair): boolean => (attr.max_dest_rd_atomic ?? 0) === 0,
);

/** A READ or ATOMIC beyond what was agreed. */
export const refuseExcess = seam((core: Core, qp: QueuePair, psn: number): void => {
  refuseReadAtomic(core, qp, psn);
});

export function refuseReadAtomic(core: Core, qp: QueuePair, psn: number): void {
  refuse(core, qp, {
    nak: 'invalid-request',
    psn,
    status: 'IBV_WC_LOC_QP_OP_ERR',
    event: 'IBV_EVENT_QP_ACCESS_ERR',
  });
}

/**
 * Keeps what a READ or ATOMIC can be answered by again. Each request is finished before the next is looked at, so that only the
 * replay of the newest ones takes room.
 */
export const remember = seam((core: Core, qp: QueuePair, resource: Resource): void => {
  const { resources } = qp.responder;
  resources.push(resource);
  if (resources.length > replayRoom(core, qp)) resources.shift();
});

/** READs and ATOMICs that can be answered again. */
export const replayRoom = seam((_core: Core, { attr }: QueuePair): number =>
  Math.max(1, attr.max_dest_rd_atomic ?? 0),
);
