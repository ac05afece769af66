import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { failHead } from './complete.ts';

/** An answer that no responder should give: the connection ends, or it is dropped. */
export function refuseAnswer(core: Core, qp: QueuePair, kind: 'reservedSyndrome' | 'badResponse'): void {
  if (core.config[kind] === 'bad-response') failHead(core, qp, 'IBV_WC_BAD_RESP_ERR');
}
