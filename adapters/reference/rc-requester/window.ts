import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import type { SendWqe } from './state.ts';

/** Request packets that may be in flight. */
export const windowOf = seam(({ config }: Core, { requester: q }: QueuePair): number =>
  q.recovering ? Math.min(config.window, config.recoveryWindow) : config.window,
);

/** The launched WQE that a PSN belongs to. */
export function find(qp: QueuePair, psn: number): SendWqe | undefined {
  return qp.requester.queue.find((wqe) => {
    const d = psnDiff(psn, wqe.psn);
    return wqe.launched && d >= 0 && d < wqe.packets;
  });
}
