import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { usable } from '../device/memory/sge-list.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { packetAt } from './segment.ts';
import type { SendWqe } from './state.ts';
import { windowOf } from './window.ts';

/**
 * AckReq of the packet with this PSN, which has just been taken off the queue: as it stands, except that a device may ask for
 * every n-th message only, and that whatever nothing follows has to ask.
 */
export const asks = seam(
  (core: Core, qp: QueuePair, wqe: SendWqe, psn: number, planned: boolean): boolean => {
    const q = qp.requester;
    const { askEvery } = core.config;
    if (wqe.kind === 'read' || wqe.kind === 'atomic') return planned;
    // The last packet that the window lets out has to ask, or nobody would ever open it.
    if (psnDiff(q.next, q.una) >= windowOf(core, qp)) return true;
    if (!planned || askEvery <= 1 || psn !== psnAdd(wqe.psn, wqe.packets - 1)) return planned;
    q.unasked++;
    if (q.unasked < askEvery && followed(core, qp, wqe)) return false;
    q.unasked = 0;
    return true;
  },
);

/** Whether another packet leaves behind the last one of this message without waiting for anything. */
function followed(core: Core, qp: QueuePair, wqe: SendWqe): boolean {
  const q = qp.requester;
  const next = q.queue[q.queue.indexOf(wqe) + 1];
  // In a gap between two packets anything may happen to the QP.
  if (core.config.packetGap > 0) return false;
  if (next === undefined || (next.kind !== 'send' && next.kind !== 'write')) return false;
  if (q.next !== q.end) return packetAt(core, qp, next, q.next) !== undefined;
  if (qp.state !== 'IBV_QPS_RTS' || next.wr.send_flags?.includes('IBV_SEND_FENCE') === true) return false;
  return next.inline !== undefined || usable(core.memory, next.wr.sg_list, next.length, qp.pd, false);
}
