import {
  bytes,
  flag,
  integer,
  list,
  object,
  oneOf,
  ShapeError,
  wide,
  type Check,
  type Schema,
} from '../../adapters/agent/check.ts';
import {
  access,
  ahAttr,
  cap,
  deviceAttr,
  gid,
  portAttr,
  qpAttr,
  recvWr,
  sendWr,
  srqAttr,
} from '../../adapters/agent/shapes.ts';
import type { VerbsCall } from '../../oracle/trace.ts';

const call = <T extends VerbsCall>(shape: Check<T>): Check<VerbsCall> => shape;

/** Shapes of verbs calls as they are in a trace: arguments and result side by side. */
const shapes: Readonly<Record<VerbsCall['call'], Check<VerbsCall>>> = {
  reg_mr: call(
    object({
      call: oneOf('reg_mr'),
      pd: integer,
      mr: integer,
      addr: wide,
      length: integer,
      lkey: integer,
      rkey: integer,
      access,
    }),
  ),
  rereg_mr: call(
    object(
      { call: oneOf('rereg_mr'), mr: integer, addr: wide, lkey: integer, rkey: integer },
      { pd: integer, access, length: integer },
    ),
  ),
  dereg_mr: call(object({ call: oneOf('dereg_mr'), mr: integer })),
  alloc_mw: call(
    object(
      { call: oneOf('alloc_mw'), pd: integer, mw: integer, rkey: integer },
      { type: oneOf('IBV_MW_TYPE_1') },
    ),
  ),
  dealloc_mw: call(object({ call: oneOf('dealloc_mw'), mw: integer })),
  write_memory: call(object({ call: oneOf('write_memory'), mr: integer, offset: integer, bytes })),
  create_cq: call(object({ call: oneOf('create_cq'), cq: integer, cqe: integer }, { asked: integer })),
  resize_cq: call(object({ call: oneOf('resize_cq'), cq: integer, cqe: integer, asked: integer })),
  req_notify_cq: call(object({ call: oneOf('req_notify_cq'), cq: integer, solicited_only: flag })),
  create_srq: call(
    object(
      { call: oneOf('create_srq'), pd: integer, srq: integer, max_wr: integer },
      { max_sge: integer, srq_limit: integer, asked: object({ max_wr: integer, max_sge: integer }) },
    ),
  ),
  modify_srq: call(
    object({
      call: oneOf('modify_srq'),
      srq: integer,
      attr: object({}, { max_wr: integer, srq_limit: integer }),
    }),
  ),
  query_srq: call(object({ call: oneOf('query_srq'), srq: integer, attr: srqAttr })),
  create_ah: call(object({ call: oneOf('create_ah'), pd: integer, ah: integer, attr: ahAttr })),
  query_port: call(object({ call: oneOf('query_port'), attr: portAttr })),
  query_gid: call(object({ call: oneOf('query_gid'), gids: list(gid) })),
  query_pkey: call(object({ call: oneOf('query_pkey'), index: integer, pkey: integer })),
  post_srq_recv: call(object({ call: oneOf('post_srq_recv'), srq: integer, wr: recvWr }, { listed: flag })),
  create_qp: call(
    object(
      {
        call: oneOf('create_qp'),
        pd: integer,
        qp: integer,
        qp_num: integer,
        qp_type: oneOf('IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD', 'IBV_QPT_XRC_SEND', 'IBV_QPT_XRC_RECV'),
        send_cq: integer,
        recv_cq: integer,
        max_recv_wr: integer,
        max_send_wr: integer,
      },
      {
        srq: integer,
        max_send_sge: integer,
        max_recv_sge: integer,
        max_inline_data: integer,
        sq_sig_all: flag,
        ooo: flag,
        asked: cap,
      },
    ),
  ),
  modify_qp: call(object({ call: oneOf('modify_qp'), qp: integer, attr: qpAttr })),
  query_qp: call(object({ call: oneOf('query_qp'), qp: integer, attr: qpAttr })),
  query_device: call(object({ call: oneOf('query_device'), attr: deviceAttr })),
  destroy_qp: call(object({ call: oneOf('destroy_qp'), qp: integer })),
  destroy_cq: call(object({ call: oneOf('destroy_cq'), cq: integer })),
  destroy_srq: call(object({ call: oneOf('destroy_srq'), srq: integer })),
  dealloc_pd: call(object({ call: oneOf('dealloc_pd'), pd: integer })),
  post_send: call(object({ call: oneOf('post_send'), qp: integer, wr: sendWr }, { listed: flag })),
  post_recv: call(object({ call: oneOf('post_recv'), qp: integer, wr: recvWr }, { listed: flag })),
};

const known = new Map<unknown, Check<VerbsCall>>(Object.entries(shapes));

/** Schemas of the calls, in their order. */
export const callSchemas: readonly Schema[] = Object.values(shapes).map(({ schema }) => schema);

/** A verbs call with what it returned. Throws ShapeError. */
export const verbsCall: Check<VerbsCall> = Object.assign(
  (value: unknown, path: string): VerbsCall => {
    const name = typeof value === 'object' && value !== null && 'call' in value ? value.call : undefined;
    const shape = known.get(name);
    if (shape === undefined) throw new ShapeError(`${path}.call`, [...known.keys()].join(' or '), name);
    return shape(value, path);
  },
  { schema: { oneOf: callSchemas } },
);
