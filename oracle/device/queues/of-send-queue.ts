import type { Wc } from '../../../spec/verbs.ts';
import type { Qp } from '../qp.ts';
import { isSendOpcode } from './send-queue.ts';

/** Whether a completion is one of the send queue; `sends`: whether a work request with this id is outstanding there. */
export function isOfSendQueue(
  { sendCq, receiveCq, posted }: Qp,
  { status, opcode, wr_id }: Wc,
  cq: number,
  sends: (wrId: number) => boolean,
): boolean {
  if (status === 'IBV_WC_SUCCESS' && opcode !== undefined) return isSendOpcode(opcode);
  if (sendCq !== receiveCq) return cq === sendCq.handle;
  return sends(wr_id) || !posted.has(wr_id);
}
