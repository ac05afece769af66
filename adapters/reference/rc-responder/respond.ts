import { serviceBits } from '../../../spec/constants.ts';
import type { Core } from '../device/core.ts';
import type { Fields } from '../device/headers.ts';
import type { QueuePair } from '../device/qp.ts';
import { isOutOfOrder, type OooQp } from '../ooo/qp.ts';
import { seam } from '../seam.ts';
import { depart } from './departure.ts';

/** Sends one response. */
export const respond = seam((core: Core, qp: QueuePair, fields: Fields): void => {
  depart(core, qp, isOutOfOrder(qp) ? asOutOfOrder(qp, fields) : fields);
});

/** Refusals are made as on RC; on an out-of-order QP they say what caused them. */
function asOutOfOrder(qp: OooQp, fields: Fields): Fields {
  const { trigger } = qp.ooo.responder;
  return { saeth: { flags: 0, trigger }, ...fields, opcode: fields.opcode | serviceBits.ORC };
}
