import type { OooQp } from './qp.ts';
import { stopTimer } from './timer.ts';

/** What entering ERR does to an out-of-order QP: nothing is sent or taken any more. The wr_id of the receive WQEs that were taken. */
export function abandon(qp: OooQp): number[] {
  const { requester: q, responder: r } = qp.ooo;
  stopTimer(q);
  q.outgoing.length = 0;
  q.refused = undefined;
  r.arrived.clear();
  return r.taken.splice(0).map(({ wqe }) => wqe.wr_id);
}
