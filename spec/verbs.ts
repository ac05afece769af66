/**
 * The data that verbs calls take and return, by their libibverbs names. Plain and JSON-able except for `bigint`
 * addresses. Enum values are the names of <infiniband/verbs.h>; their numbers are in `spec/constants/verbs.yaml`.
 */

export type QpState =
  | 'IBV_QPS_RESET'
  | 'IBV_QPS_INIT'
  | 'IBV_QPS_RTR'
  | 'IBV_QPS_RTS'
  | 'IBV_QPS_SQD'
  | 'IBV_QPS_SQE'
  | 'IBV_QPS_ERR';
/** Types of QPs, ibv_qp_type. */
export type QpType = 'IBV_QPT_RC' | 'IBV_QPT_UC' | 'IBV_QPT_UD' | 'IBV_QPT_XRC_SEND' | 'IBV_QPT_XRC_RECV';
export type MigState = 'IBV_MIG_MIGRATED' | 'IBV_MIG_REARM' | 'IBV_MIG_ARMED';
export type PathMtu = 256 | 512 | 1024 | 2048 | 4096;
/** Access flags of ibv_reg_mr, of memory windows and of `qp_access_flags`. */
export type AccessFlag =
  | 'IBV_ACCESS_LOCAL_WRITE'
  | 'IBV_ACCESS_REMOTE_WRITE'
  | 'IBV_ACCESS_REMOTE_READ'
  | 'IBV_ACCESS_REMOTE_ATOMIC'
  | 'IBV_ACCESS_MW_BIND';
export type WrOpcode =
  | 'IBV_WR_SEND'
  | 'IBV_WR_SEND_WITH_IMM'
  | 'IBV_WR_SEND_WITH_INV'
  | 'IBV_WR_RDMA_WRITE'
  | 'IBV_WR_RDMA_WRITE_WITH_IMM'
  | 'IBV_WR_RDMA_READ'
  | 'IBV_WR_ATOMIC_CMP_AND_SWP'
  | 'IBV_WR_ATOMIC_FETCH_AND_ADD'
  | 'IBV_WR_LOCAL_INV'
  | 'IBV_WR_BIND_MW';
export type SendFlag = 'IBV_SEND_FENCE' | 'IBV_SEND_SIGNALED' | 'IBV_SEND_SOLICITED' | 'IBV_SEND_INLINE';
export type WcStatus = `IBV_WC_${string}`;
export type WcOpcode = `IBV_WC_${string}`;
export type EventType = `IBV_EVENT_${string}`;

/** Address handle of a connected QP. `dgid` is 32 hex digits; IPv4 addresses are mapped (::ffff:a.b.c.d). */
export interface AhAttr {
  dgid: string;
  sgid_index: number;
  hop_limit?: number;
  traffic_class?: number;
  flow_label?: number;
  port_num?: number;
}

/**
 * Attributes of ibv_modify_qp / ibv_query_qp. The mask of a modify call is the set of keys present; the four `alt_` ones stand for
 * IBV_QP_ALT_PATH together, and those absent beside `alt_ah_attr` are 0 (`alt_port_num`: 1).
 */
export interface QpAttr {
  qp_state?: QpState;
  cur_qp_state?: QpState;
  en_sqd_async_notify?: boolean;
  qp_access_flags?: AccessFlag[];
  pkey_index?: number;
  port_num?: number;
  qkey?: number;
  ah_attr?: AhAttr;
  path_mtu?: PathMtu;
  timeout?: number;
  retry_cnt?: number;
  rnr_retry?: number;
  rq_psn?: number;
  max_rd_atomic?: number;
  alt_ah_attr?: AhAttr;
  alt_pkey_index?: number;
  alt_port_num?: number;
  /** ACK timeout code on the alternate path */
  alt_timeout?: number;
  min_rnr_timer?: number;
  sq_psn?: number;
  max_dest_rd_atomic?: number;
  path_mig_state?: MigState;
  dest_qp_num?: number;
}

/** Attributes of ibv_query_device: how many QPs and READs or ATOMICs it has room for, and its code of the delay before an ACK. */
export interface DeviceAttr {
  max_qp: number;
  /** READs and ATOMICs that a QP takes at a time as responder */
  max_qp_rd_atom: number;
  /** READs and ATOMICs that a QP may have under way as requester */
  max_qp_init_rd_atom: number;
  /** 4.096 us * 2^n from a request to its ACK, as the device expects it */
  local_ca_ack_delay: number;
  max_sge?: number;
  max_cqe?: number;
  max_srq_wr?: number;
  /** IBV_DEVICE_SRQ_RESIZE of device_cap_flags */
  srq_resize?: boolean;
  /** IBV_DEVICE_PORT_ACTIVE_EVENT of device_cap_flags */
  port_active_event?: boolean;
}

/** Names of enum ibv_port_state, whose numbers count from 0. */
export const portStates = [
  'IBV_PORT_NOP',
  'IBV_PORT_DOWN',
  'IBV_PORT_INIT',
  'IBV_PORT_ARMED',
  'IBV_PORT_ACTIVE',
  'IBV_PORT_ACTIVE_DEFER',
] as const;
export type PortState = (typeof portStates)[number];

/** Attributes of ibv_query_port. */
export interface PortAttr {
  state: PortState;
  /** longest message, in bytes */
  max_msg_sz: number;
  active_mtu: PathMtu;
  /** entries of the P_Key table; absent: the device does not say */
  pkey_tbl_len?: number;
}

/** Attributes of ibv_query_srq. `srq_limit` 0: no event is armed. */
export interface SrqAttr {
  max_wr: number;
  max_sge: number;
  srq_limit: number;
}

/** Sizes of the queues of a QP, ibv_qp_cap. */
export interface QpCap {
  max_send_wr: number;
  max_recv_wr: number;
  max_send_sge: number;
  max_recv_sge: number;
  max_inline_data?: number;
}

/** Scatter/gather element: bytes `addr .. addr+length` of the region with `lkey`. */
export interface Sge {
  addr: bigint;
  length: number;
  lkey: number;
}

/** Windows of type 1 are bound by ibv_bind_mw, those of type 2 by IBV_WR_BIND_MW. */
export type MwType = 'IBV_MW_TYPE_1' | 'IBV_MW_TYPE_2';

/**
 * What IBV_WR_BIND_MW binds, `bind_mw` of ibv_send_wr: the window gets the key `rkey`, and opens `length` bytes from `addr` of a memory
 * region. `type` is said of a window of type 1: ibv_bind_mw has posted the work request, and has given the key; 0 where it was refused.
 */
export interface WindowBinding {
  type?: 'IBV_MW_TYPE_1';
  mw: number;
  rkey: number;
  mr: number;
  addr: bigint;
  length: number;
  access: AccessFlag[];
}

/** What ibv_bind_mw binds a window of type 1 to, ibv_mw_bind; `length` 0 unbinds it. */
export interface MwBind extends Omit<WindowBinding, 'type' | 'rkey'> {
  wr_id: number;
  send_flags: SendFlag[];
}

/** A receive work request, ibv_recv_wr. */
export interface RecvWr {
  wr_id: number;
  sg_list: Sge[];
}

/** A send work request, ibv_send_wr. */
export interface SendWr {
  wr_id: number;
  opcode: WrOpcode;
  sg_list: Sge[];
  send_flags?: SendFlag[];
  imm_data?: number;
  invalidate_rkey?: number;
  remote_addr?: bigint;
  rkey?: number;
  /** atomics: value to add, or to compare with */
  compare_add?: bigint;
  swap?: bigint;
  /** UD: handle of the address, and QP number and Q_Key of the destination */
  ah?: number;
  remote_qpn?: number;
  remote_qkey?: number;
  bind_mw?: WindowBinding;
  /** put into the field `opcode` in place of the number of its name, e.g. one that no header defines */
  raw_opcode?: number;
}

/** Work completion. With a status other than success only wr_id, status, qp_num and vendor_err are defined. */
export interface Wc {
  wr_id: number;
  status: WcStatus;
  opcode?: WcOpcode;
  byte_len?: number;
  imm_data?: number;
  invalidated_rkey?: number;
  /** UD: QP number of the sender */
  src_qp?: number;
  /** IBV_WC_GRH of wc_flags: the first 40 bytes of the buffer belong to the GRH */
  grh?: boolean;
  qp_num: number;
  vendor_err?: number;
}

/** An asynchronous event, as ibv_get_async_event gives it. Only the object that it concerns is named. */
export interface AsyncEvent {
  event_type: EventType;
  qp_num?: number;
  /** handle of the CQ or SRQ it concerns */
  cq?: number;
  srq?: number;
  port_num?: number;
}
