import { qpAttrMask } from '../../../spec/constants.ts';
import type { QpCap } from '../../../spec/verbs.ts';
import type { Libibverbs, Pointer } from '../ffi.ts';
import { sizes } from '../layout.ts';

/** Room of a QP in `struct ibv_qp_init_attr`. */
function decodeQpCap(b: Buffer): Required<QpCap> {
  return {
    max_send_wr: b.readUInt32LE(32),
    max_recv_wr: b.readUInt32LE(36),
    max_send_sge: b.readUInt32LE(40),
    max_recv_sge: b.readUInt32LE(44),
    max_inline_data: b.readUInt32LE(48),
  };
}

/**
 * What a QP has room for: ibv_create_qp has put it into `made`, and ibv_query_qp may know of more (rxe tells only there that it
 * rounds up).
 */
export function roomOf(lib: Libibverbs, qp: Pointer, made: Buffer): QpCap {
  const said = decodeQpCap(made);
  const init = Buffer.alloc(sizes.qpInitAttr);
  const mask = 1 << qpAttrMask.number('IBV_QP_CAP');
  if (lib.queryQp(qp, Buffer.alloc(sizes.qpAttr), mask, init) !== 0) return said;
  const known = decodeQpCap(init);
  return {
    max_send_wr: Math.max(said.max_send_wr, known.max_send_wr),
    max_recv_wr: Math.max(said.max_recv_wr, known.max_recv_wr),
    max_send_sge: Math.max(said.max_send_sge, known.max_send_sge),
    max_recv_sge: Math.max(said.max_recv_sge, known.max_recv_sge),
    max_inline_data: Math.max(said.max_inline_data, known.max_inline_data),
  };
}
