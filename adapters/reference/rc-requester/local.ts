import type { Core } from '../device/core.ts';
import { bindWindow } from '../device/memory/binding.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { completePassed } from './complete.ts';
import type { SendWqe } from './state.ts';

/** Carries out a work request of which no packet goes out; where that cannot be, it fails when it has become the oldest. */
export function carryOut(core: Core, qp: QueuePair, wqe: SendWqe): void {
  const done = wqe.wr.opcode === 'IBV_WR_BIND_MW' ? bind(core, qp, wqe) : invalidate(core, qp, wqe);
  if (!done) {
    wqe.defect = 'IBV_WC_MW_BIND_ERR';
    return;
  }
  wqe.launched = true;
  wqe.psn = qp.requester.next;
  wqe.packets = 0;
  carriedOut(core, qp, wqe);
}

/** It completes in its turn. */
export const carriedOut = seam((core: Core, qp: QueuePair, _wqe: SendWqe): void => {
  completePassed(core, qp);
});

/** Binds a window; false where that may not be. */
export const bind = seam(
  ({ memory }: Core, qp: QueuePair, { wr: { bind_mw: asked } }: SendWqe): boolean =>
    asked !== undefined && bindWindow(memory, asked, qp),
);

/** Takes away what the key of a window opens; false where it is the key of none that is bound by this QP. */
export const invalidate = seam(
  ({ memory }: Core, qp: QueuePair, { wr: { invalidate_rkey: rkey = 0 } }: SendWqe): boolean =>
    memory.windows.invalidate(rkey, qp.num),
);
