import { opcodeByName } from '../../../spec/constants.ts';
import type { PacketFields } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Destination } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
import type { SendWqe } from './state.ts';

type Request = Omit<PacketFields, 'destQp'>;

/** Q_Key and source of a datagram. */
export function dethOf(
  { fault }: Core,
  qp: QueuePair,
  { qkey, wr }: SendWqe,
  to: Destination,
): { qkey: number; srcQp: number } {
  let shown = qkey;
  if (fault === 'ud-qkey-always-own') shown = qp.attr.qkey ?? 0;
  if (fault === 'ud-qkey-top-bit-sent') shown = wr.remote_qkey ?? 0;
  return { qkey: shown, srcQp: fault === 'ud-source-of-destination' ? to.destQp : qp.num };
}

/** What mutants get wrong in a request that they send. */
export function spoiled({ fault }: Core, qp: QueuePair, wqe: SendWqe, fields: Request): Request {
  if (fault === 'immediate-zero-sent' && fields.immediate !== undefined) return { ...fields, immediate: 0 };
  if (fault === 'solicited-never') return { ...fields, solicited: false };
  if (qp.service === 'RC') return fields;
  if (fault === 'unreliable-wrong-icrc') return { ...fields, icrcXor: 1 };
  const { reth, payload } = fields;
  if (fault === 'uc-write-length-of-packet' && reth !== undefined)
    return { ...fields, reth: { ...reth, dmaLen: payload?.length ?? 0 } };
  if (fault === 'uc-every-packet-only' && qp.service === 'UC')
    return { ...fields, opcode: opcodeByName(wqe.kind === 'send' ? 'UC_SEND_ONLY' : 'UC_RDMA_WRITE_ONLY') };
  return fields;
}
