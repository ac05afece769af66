import { portStates } from '../../spec/verbs.ts';
import type { DeviceAttr, PortAttr, QpAttr, SrqAttr } from '../../spec/verbs.ts';
import {
  between,
  flag,
  integer,
  list,
  matching,
  named,
  numberOf,
  object,
  oneOf,
  prefixed,
  text,
  upTo,
  wide,
} from './check.ts';
import type { Check } from './check.ts';

/** Shapes of what verbs take and give, as they stand on the line. */

const qpStateName = named(
  'qp_state',
  oneOf(
    'IBV_QPS_RESET',
    'IBV_QPS_INIT',
    'IBV_QPS_RTR',
    'IBV_QPS_RTS',
    'IBV_QPS_SQD',
    'IBV_QPS_SQE',
    'IBV_QPS_ERR',
  ),
);
export const access = named(
  'access',
  list(
    oneOf(
      'IBV_ACCESS_LOCAL_WRITE',
      'IBV_ACCESS_REMOTE_WRITE',
      'IBV_ACCESS_REMOTE_READ',
      'IBV_ACCESS_REMOTE_ATOMIC',
      'IBV_ACCESS_MW_BIND',
    ),
  ),
);
/** Number of a QP of software: 24 bits of a packet; 0 and 1 belong to management, the greatest is that of multicasts. */
export const qpNumber = between(2, 0xff_fffe);
/** L_Key and R_Key: 32 bits of a packet. */
export const memoryKey = upTo(0xffff_ffff);
/** A GID as text. */
export const gid = named('gid', matching(/^[0-9a-f]{32}$/, '32 hex digits in lower case'));
export const ahAttr = named(
  'ah_attr',
  object(
    { dgid: text, sgid_index: integer },
    { hop_limit: integer, traffic_class: integer, flow_label: integer, port_num: integer },
  ),
);
export const qpAttr = named(
  'qp_attr',
  object(
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
  ),
) satisfies Check<QpAttr>;
export const cap = named(
  'qp_cap',
  object(
    { max_send_wr: integer, max_recv_wr: integer, max_send_sge: integer, max_recv_sge: integer },
    { max_inline_data: integer },
  ),
);
export const mwType = oneOf('IBV_MW_TYPE_1', 'IBV_MW_TYPE_2');
const sendFlags = list(oneOf('IBV_SEND_FENCE', 'IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED', 'IBV_SEND_INLINE'));
const sgList = named('sg_list', list(object({ addr: wide, length: integer, lkey: integer })));
export const recvWr = named('recv_wr', object({ wr_id: integer, sg_list: sgList }));
export const sendWr = named(
  'send_wr',
  object(
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
        'IBV_WR_LOCAL_INV',
        'IBV_WR_BIND_MW',
      ),
      sg_list: sgList,
    },
    {
      send_flags: sendFlags,
      imm_data: integer,
      invalidate_rkey: integer,
      remote_addr: wide,
      rkey: integer,
      compare_add: wide,
      swap: wide,
      ah: integer,
      remote_qpn: integer,
      remote_qkey: integer,
      bind_mw: object(
        { mw: integer, rkey: integer, mr: integer, addr: wide, length: integer, access },
        { type: oneOf('IBV_MW_TYPE_1') },
      ),
      raw_opcode: integer,
    },
  ),
);
export const mwBind = named(
  'mw_bind',
  object({
    wr_id: integer,
    send_flags: sendFlags,
    mw: integer,
    mr: integer,
    addr: wide,
    length: integer,
    access,
  }),
);
export const wc = named(
  'wc',
  object(
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
  ),
);
export const asyncEvent = named(
  'async_event',
  object(
    { event_type: prefixed('IBV_EVENT_') },
    { qp_num: integer, cq: integer, srq: integer, port_num: integer },
  ),
);
export const portAttr = named(
  'port_attr',
  object(
    {
      state: oneOf(...portStates),
      max_msg_sz: integer,
      active_mtu: numberOf(256, 512, 1024, 2048, 4096),
    },
    { pkey_tbl_len: integer },
  ),
) satisfies Check<PortAttr>;
export const srqAttr = named(
  'srq_attr',
  object({ max_wr: integer, max_sge: integer, srq_limit: integer }),
) satisfies Check<SrqAttr>;
export const deviceAttr = named(
  'device_attr',
  object(
    { max_qp: integer, max_qp_rd_atom: integer, max_qp_init_rd_atom: integer, local_ca_ack_delay: integer },
    { max_sge: integer, max_cqe: integer, max_srq_wr: integer, srq_resize: flag, port_active_event: flag },
  ),
) satisfies Check<DeviceAttr>;
