import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { packetsOf } from '../packets-of.ts';
import { segmentSize } from './segment.ts';
import type { SendWqe } from './state.ts';

/** The WQE that the next new packet belongs to: the one under way, or the next that may start. A local one has not been carried out. */
export function launch(core: Core, qp: QueuePair): SendWqe | undefined {
  const q = qp.requester;
  let open = 0;
  for (const wqe of q.queue) {
    const limited = takesReadSlot(core, wqe);
    if (wqe.launched) {
      if (psnDiff(psnAdd(wqe.psn, wqe.packets), q.next) > 0) return wqe;
      if (limited) open++;
      continue;
    }
    if (!startsRequests(core, qp, wqe)) return undefined;
    if (limited && open >= readSlots(core, qp)) return behindStalled(core, qp, wqe);
    if (open > 0 && isFenced(core, qp, wqe)) return undefined;
    if (wqe.kind === 'local') return wqe;
    return begin(core, qp, wqe);
  }
  return undefined;
}

/** Whether a request counts against max_rd_atomic. */
export const takesReadSlot = seam(
  (_core: Core, { kind }: SendWqe): boolean => kind === 'read' || kind === 'atomic',
);

/** SQD finishes what has been started and starts nothing. */
export const startsRequests = seam(
  (_core: Core, qp: QueuePair, _wqe: SendWqe): boolean => qp.state !== 'IBV_QPS_SQD',
);

/** READs and ATOMICs that may be outstanding. */
export const readSlots = seam((_core: Core, qp: QueuePair): number => qp.attr.max_rd_atomic ?? 0);

/** What may start behind a READ or ATOMIC that has to wait: nothing. */
export const behindStalled = seam(
  (_core: Core, _qp: QueuePair, _stalled: SendWqe): SendWqe | undefined => undefined,
);

/** Whether a request waits for the READs and ATOMICs in front of it. */
export const isFenced = seam(
  (_core: Core, _qp: QueuePair, { wr }: SendWqe): boolean =>
    wr.send_flags?.includes('IBV_SEND_FENCE') === true,
);

export const begin = seam((core: Core, qp: QueuePair, wqe: SendWqe): SendWqe => {
  wqe.launched = true;
  wqe.psn = qp.requester.next;
  wqe.packets = psnsOf(core, qp, wqe);
  return wqe;
});

/** PSNs that a request takes. One that cannot be sent has a place of its own until it fails, however long it is. */
export const psnsOf = seam((core: Core, qp: QueuePair, { kind, length, defect }: SendWqe): number =>
  kind === 'atomic' || defect !== undefined ? 1 : packetsOf(length, segmentSize(core, qp)),
);
