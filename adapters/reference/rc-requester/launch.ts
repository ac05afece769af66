import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { packetsOf } from './segment.ts';
import type { SendWqe } from './state.ts';

/** The WQE that the next new packet belongs to: the one under way, or the next that may start. */
export function launch(core: Core, qp: QueuePair): SendWqe | undefined {
  const q = qp.requester;
  const { fault } = core;
  let open = 0;
  for (const wqe of q.queue) {
    const limited = wqe.kind === 'read' || (wqe.kind === 'atomic' && fault !== 'atomics-not-limited');
    if (wqe.launched) {
      if (psnDiff(psnAdd(wqe.psn, wqe.packets), q.next) > 0) return wqe;
      if (limited) open++;
      continue;
    }
    // SQD finishes what has been started and starts nothing.
    if (qp.state === 'IBV_QPS_SQD' && fault !== 'sqd-starts-requests') return undefined;
    const room = (qp.attr.max_rd_atomic ?? 0) + (fault === 'read-depth-exceeded' ? 1 : 0);
    if (limited && open >= room)
      return fault === 'stalled-read-overtaken' ? overtake(core, qp, wqe) : undefined;
    const fenced = wqe.wr.send_flags?.includes('IBV_SEND_FENCE') === true && fault !== 'fence-ignored';
    if (open > 0 && fenced) return undefined;
    return begin(core, qp, wqe);
  }
  return undefined;
}

function begin({ fault }: Core, qp: QueuePair, wqe: SendWqe): SendWqe {
  const q = qp.requester;
  if (fault === 'psn-skipped' && q.next !== q.una) q.next = q.end = psnAdd(q.next, 1);
  wqe.launched = true;
  wqe.psn = q.next;
  const single = wqe.kind === 'atomic' || (wqe.kind === 'read' && fault === 'read-takes-one-psn');
  wqe.packets = single ? 1 : packetsOf(wqe.length, qp.mtu);
  return wqe;
}

/** The mutant that lets a SEND or WRITE pass a READ that has to wait. */
function overtake(core: Core, qp: QueuePair, stalled: SendWqe): SendWqe | undefined {
  const { queue } = qp.requester;
  const from = queue.indexOf(stalled);
  const free = queue.findIndex((wqe, i) => i > from && (wqe.kind === 'send' || wqe.kind === 'write'));
  const [wqe] = free < 0 ? [] : queue.splice(free, 1);
  if (wqe === undefined) return undefined;
  queue.splice(from, 0, wqe);
  return begin(core, qp, wqe);
}
