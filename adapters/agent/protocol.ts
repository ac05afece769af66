import type { DeviceAttr, PortAttr, QpAttr, SrqAttr } from '../../spec/verbs.ts';
import {
  bytes,
  flag,
  integer,
  list,
  nothing,
  numberOf,
  object,
  oneOf,
  prefixed,
  signed,
  text,
  wide,
} from './check.ts';
import type { Check, Checked } from './check.ts';

/** Version of the protocol between a client and the agent. Both sides must name the same number. */
export const protocolVersion = 2;

const qpStateName = oneOf(
  'IBV_QPS_RESET',
  'IBV_QPS_INIT',
  'IBV_QPS_RTR',
  'IBV_QPS_RTS',
  'IBV_QPS_SQD',
  'IBV_QPS_SQE',
  'IBV_QPS_ERR',
);
const access = list(
  oneOf(
    'IBV_ACCESS_LOCAL_WRITE',
    'IBV_ACCESS_REMOTE_WRITE',
    'IBV_ACCESS_REMOTE_READ',
    'IBV_ACCESS_REMOTE_ATOMIC',
  ),
);
const ahAttr = object(
  { dgid: text, sgid_index: integer },
  { hop_limit: integer, traffic_class: integer, flow_label: integer, port_num: integer },
);
const qpAttr = object(
  {},
  {
    qp_state: qpStateName,
    cur_qp_state: qpStateName,
    en_sqd_async_notify: flag,
    qp_access_flags: access,
    pkey_index: integer,
    port_num: integer,
    qkey: integer,
    ah_attr: ahAttr,
    path_mtu: numberOf(256, 512, 1024, 2048, 4096),
    timeout: integer,
    retry_cnt: integer,
    rnr_retry: integer,
    rq_psn: integer,
    max_rd_atomic: integer,
    alt_ah_attr: ahAttr,
    alt_pkey_index: integer,
    alt_port_num: integer,
    alt_timeout: integer,
    min_rnr_timer: integer,
    sq_psn: integer,
    max_dest_rd_atomic: integer,
    path_mig_state: oneOf('IBV_MIG_MIGRATED', 'IBV_MIG_REARM', 'IBV_MIG_ARMED'),
    dest_qp_num: integer,
  },
) satisfies Check<QpAttr>;
const cap = object(
  { max_send_wr: integer, max_recv_wr: integer, max_send_sge: integer, max_recv_sge: integer },
  { max_inline_data: integer },
);
const sgList = list(object({ addr: wide, length: integer, lkey: integer }));
const recvWr = object({ wr_id: integer, sg_list: sgList });
const sendWr = object(
  {
    wr_id: integer,
    opcode: oneOf(
      'IBV_WR_SEND',
      'IBV_WR_SEND_WITH_IMM',
      'IBV_WR_SEND_WITH_INV',
      'IBV_WR_RDMA_WRITE',
      'IBV_WR_RDMA_WRITE_WITH_IMM',
      'IBV_WR_RDMA_READ',
      'IBV_WR_ATOMIC_CMP_AND_SWP',
      'IBV_WR_ATOMIC_FETCH_AND_ADD',
    ),
    sg_list: sgList,
  },
  {
    send_flags: list(oneOf('IBV_SEND_FENCE', 'IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED', 'IBV_SEND_INLINE')),
    imm_data: integer,
    invalidate_rkey: integer,
    remote_addr: wide,
    rkey: integer,
    compare_add: wide,
    swap: wide,
    ah: integer,
    remote_qpn: integer,
    remote_qkey: integer,
    raw_opcode: integer,
  },
);
const wc = object(
  { wr_id: integer, status: prefixed('IBV_WC_'), qp_num: integer },
  {
    opcode: prefixed('IBV_WC_'),
    byte_len: integer,
    imm_data: integer,
    invalidated_rkey: integer,
    src_qp: integer,
    grh: flag,
    vendor_err: integer,
  },
);
const deviceInfo = object({
  device: text,
  max_qp: integer,
  max_qp_rd_atom: integer,
  max_msg_sz: integer,
  active_mtu: integer,
  gids: list(text),
});

const portAttr = object({
  state: oneOf(
    'IBV_PORT_NOP',
    'IBV_PORT_DOWN',
    'IBV_PORT_INIT',
    'IBV_PORT_ARMED',
    'IBV_PORT_ACTIVE',
    'IBV_PORT_ACTIVE_DEFER',
  ),
  max_msg_sz: integer,
  active_mtu: numberOf(256, 512, 1024, 2048, 4096),
}) satisfies Check<PortAttr>;
const srqAttr = object({ max_wr: integer, max_sge: integer, srq_limit: integer }) satisfies Check<SrqAttr>;
const deviceAttr = object(
  { max_qp: integer, max_qp_rd_atom: integer, max_qp_init_rd_atom: integer, local_ca_ack_delay: integer },
  { max_sge: integer, max_cqe: integer, max_srq_wr: integer, srq_resize: flag, port_active_event: flag },
) satisfies Check<DeviceAttr>;

const call = <A, R>(args: Check<A>, result: Check<R>): { args: Check<A>; result: Check<R> } => ({
  args,
  result,
});

/** Every call: the shape of its `args` and of its `result` on the line. */
export const calls = {
  hello: call(object({ protocol: integer }), object({ protocol: integer, kernel: text, info: deviceInfo })),
  query_device: call(object({}), deviceAttr),
  query_port: call(object({}), portAttr),
  query_srq: call(object({ srq: integer }), srqAttr),
  create_ah: call(object({ pd: integer, attr: ahAttr }), integer),
  destroy_ah: call(object({ ah: integer }), nothing),
  alloc_pd: call(object({}), integer),
  dealloc_pd: call(object({ pd: integer }), nothing),
  reg_mr: call(
    object({ pd: integer, length: integer, access }),
    object({ mr: integer, addr: wide, lkey: integer, rkey: integer }),
  ),
  dereg_mr: call(object({ mr: integer }), nothing),
  read_memory: call(object({ mr: integer, offset: signed, length: integer }), bytes),
  write_memory: call(object({ mr: integer, offset: integer, bytes }), nothing),
  create_cq: call(object({ cqe: integer }), integer),
  cq_size: call(object({ cq: integer }), integer),
  destroy_cq: call(object({ cq: integer }), nothing),
  poll_cq: call(object({ cq: integer, max: integer }), list(wc)),
  req_notify_cq: call(object({ cq: integer }), nothing),
  create_srq: call(
    object({ pd: integer, max_wr: integer, max_sge: integer }, { srq_limit: integer }),
    integer,
  ),
  modify_srq: call(
    object({ srq: integer, attr: object({}, { max_wr: integer, srq_limit: integer }) }),
    nothing,
  ),
  destroy_srq: call(object({ srq: integer }), nothing),
  post_srq_recv: call(object({ srq: integer, wr: recvWr }), nothing),
  create_qp: call(
    object(
      {
        pd: integer,
        qp_type: oneOf('IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD', 'IBV_QPT_XRC_SEND', 'IBV_QPT_XRC_RECV'),
        send_cq: integer,
        recv_cq: integer,
        cap,
      },
      { srq: integer, sq_sig_all: flag },
    ),
    object({ qp: integer, qp_num: integer }, { cap }),
  ),
  modify_qp: call(object({ qp: integer, attr: qpAttr }), nothing),
  query_qp: call(object({ qp: integer }), qpAttr),
  destroy_qp: call(object({ qp: integer }), nothing),
  post_send: call(object({ qp: integer, wr: sendWr }), nothing),
  post_recv: call(object({ qp: integer, wr: recvWr }), nothing),
  /** Guest only: takes the address of the n-th guest on a wire. */
  set_address: call(object({ index: integer }), deviceInfo),
  /** Guest only: runs a program of the image to its end. */
  exec: call(
    object({ argv: list(text), timeout_ms: integer }),
    object({ code: integer, stdout: text, stderr: text }),
  ),
};

export type CallName = keyof typeof calls;
export type CallArgs<N extends CallName> = Checked<(typeof calls)[N]['args']>;
export type CallResult<N extends CallName> = Checked<(typeof calls)[N]['result']>;

const callNames = Object.keys(calls) as CallName[];
const callName = oneOf(...callNames);

const request = object({ id: integer, call: callName, args: (value) => value });
export interface Request {
  id: number;
  call: CallName;
  args: unknown;
}

const failure = object({ call: text, message: text }, { errno: integer });
/** Why a call failed: `errno` where libibverbs refused it. */
export type Failure = Checked<typeof failure>;

const asyncEvent = object(
  { event_type: prefixed('IBV_EVENT_') },
  { qp_num: integer, cq: integer, srq: integer, port_num: integer },
);
const answer = object({ id: integer, ok: (value) => value });
const refusal = object({ id: integer, error: failure });
const cqMessage = object({ cq: integer });
const asyncMessage = object({ async: asyncEvent });

export type FromAgent =
  | { kind: 'answer'; id: number; ok: unknown }
  | { kind: 'refusal'; id: number; error: Failure }
  | { kind: 'cq'; cq: number }
  | { kind: 'async'; event: Checked<typeof asyncEvent> };

/** One line from a client. Throws ShapeError or SyntaxError. */
export function parseRequest(line: string): Request {
  const { id, call: name, args } = request(JSON.parse(line), 'request');
  return { id, call: name, args };
}

/** One line from the agent. Throws ShapeError or SyntaxError. */
export function parseFromAgent(line: string): FromAgent {
  const value: unknown = JSON.parse(line);
  if (typeof value === 'object' && value !== null) {
    if ('ok' in value) {
      const { id, ok } = answer(value, 'answer');
      return { kind: 'answer', id, ok };
    }
    if ('error' in value) return { kind: 'refusal', ...refusal(value, 'refusal') };
    if ('async' in value) return { kind: 'async', event: asyncMessage(value, 'event').async };
  }
  return { kind: 'cq', ...cqMessage(value, 'message') };
}

/** What JSON can carry: bigint becomes a decimal string, bytes become base64. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  const out: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) if (entry !== undefined) out[key] = plain(entry);
  return out;
}

/** A message as one line. */
export function formatLine(message: object): string {
  return `${JSON.stringify(plain(message))}\n`;
}
