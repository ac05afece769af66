import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { retry } from './retry.ts';

/** An answer with this PSN shows that one before it is missing: a retry, unless it acknowledges nothing new. */
export const impliedNak = seam((core: Core, qp: QueuePair, psn: number): void => {
  const q = qp.requester;
  const { gapPsn } = q;
  q.gapPsn = psn;
  if (gapPsn !== undefined) {
    if (core.config.impliedNak === 'once') return;
    if (core.config.impliedNak === 'flight' && psnDiff(psn, gapPsn) >= 0) return;
  }
  retry(core, qp, q.una, 'implied-nak');
});
