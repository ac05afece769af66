import { seam } from '../seam.ts';
import type { Core } from './core.ts';
import { resetQp, type QueuePair } from './qp.ts';

/** What RESET does. */
export const reset = seam((_device: Core, qp: QueuePair): void => {
  resetQp(qp);
});
