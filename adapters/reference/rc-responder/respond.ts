import { serviceBits } from '../../../spec/constants.ts';
import type { PacketFields } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { isOutOfOrder, type OooQp } from '../ooo/qp.ts';
import type { QueuePair } from '../device/qp.ts';

type Response = Omit<PacketFields, 'destQp'>;

/** Sends one response. */
export function respond(core: Core, qp: QueuePair, fields: Response): void {
  core.transmit(
    core.fault === 'response-to-own-number' ? { ...qp, destQp: qp.num } : qp,
    marred(core, isOutOfOrder(qp) ? asOutOfOrder(qp, fields) : fields),
  );
}

/** Refusals are made as on RC; on an out-of-order QP they say what caused them. */
function asOutOfOrder(qp: OooQp, fields: Response): Response {
  const { trigger } = qp.ooo.responder;
  return { saeth: { flags: 0, trigger }, ...fields, opcode: fields.opcode | serviceBits.ORC };
}

/** What mutants get wrong in the headers of their responses. */
function marred({ fault }: Core, fields: Response): Response {
  const { aeth } = fields;
  if (fault === 'response-wrong-icrc') return { ...fields, icrcXor: 0x01000000 };
  if (fault === 'response-wrong-pkey') return { ...fields, pkey: 0x1234 };
  if (aeth === undefined) return fields;
  const acknowledges = aeth.syndrome < 0x20;
  if (fault === 'nak-with-payload' && !acknowledges) return { ...fields, payload: new Uint8Array(4) };
  if (fault === 'reserved-syndrome' && acknowledges) return { ...fields, aeth: { ...aeth, syndrome: 0x40 } };
  return fields;
}
