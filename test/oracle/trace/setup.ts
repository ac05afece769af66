import type { TraceHeader, VerbsCall } from '../../../oracle/trace.ts';
import type { AccessFlag, QpAttr, QpState } from '../../../spec/verbs.ts';
import { everyRight } from '../../rights.ts';
import { dut, mtu, qkey, readable, region, type Service } from './packets.ts';

type Made<C extends VerbsCall['call']> = Omit<Extract<VerbsCall, { call: C }>, 'call'>;

export interface Ends {
  qp: number;
  number: number;
  peer: number;
}

/** How a trace differs from that of a QP in RTS which has all that it may have. */
export interface Plan {
  header?: Partial<TraceHeader>;
  /** beside those of the services */
  capabilities?: readonly string[];
  /** rules that `broken` tells of, as MACHINE/ID */
  judged?: RegExp;
  /** what `broken` tells of beside violations */
  doubts?: readonly ('inconclusive' | 'notJudged')[];
  /** nanoseconds that pass with a call or what it brings about, with a packet, and until all is settled */
  pace?: Partial<Record<'call' | 'packet' | 'settle', number>>;
  /** PSN that both ends begin with */
  psn?: number;
  /** instead of those of every QP; each goes into the call that sets it */
  attr?: QpAttr;
  /** rights that the QP grants */
  access?: AccessFlag[];
  /** what `ibv_create_qp` is asked for */
  size?: Partial<Made<'create_qp'>>;
  cqe?: number;
  srq?: boolean;
  /** last state that the QP is brought to */
  state?: 'RESET' | 'INIT' | 'RTR' | 'RTS';
  regions?: readonly Made<'reg_mr'>[];
  qps?: readonly Ends[];
}

const states = ['RESET', 'INIT', 'RTR', 'RTS'] as const;
const ah_attr = { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 };

export const srqHandle = 5;
export const ahHandle = 7;

export const everyRegion: readonly Made<'reg_mr'>[] = [
  { pd: 1, mr: 1, access: everyRight, ...region },
  { pd: 1, mr: 2, access: ['IBV_ACCESS_REMOTE_READ'], ...readable },
];

export function headerOf({ header, capabilities = [] }: Plan): TraceHeader {
  return {
    sight: { packets: 'at-device', verbs: true },
    clock: 'virtual',
    capabilities: ['rc', 'uc', 'ud', 'atomic', 'srq', 'uc-srq', ...capabilities],
    dut: { addresses: [dut.ip] },
    ...header,
  };
}

/** What is there before any QP. */
export function objectsOf(
  service: Service,
  { regions = everyRegion, cqe = 64, srq = false }: Plan,
): VerbsCall[] {
  return [
    ...regions.map((made) => ({ call: 'reg_mr' as const, ...made })),
    { call: 'create_cq', cq: 1, cqe },
    ...(srq ? [{ call: 'create_srq' as const, pd: 1, srq: srqHandle, max_wr: 8, max_sge: 2 }] : []),
    ...(service === 'UD' ? [{ call: 'create_ah' as const, pd: 1, ah: ahHandle, attr: ah_attr }] : []),
  ];
}

/** Attributes of ibv_modify_qp on the way into each state. */
function attributesOf(service: Service, ends: Ends, { psn = 100, access }: Plan): Record<string, QpAttr> {
  const ud = service === 'UD';
  const reliable = service === 'RC' || service === 'ORC';
  const rights = access ?? (reliable ? everyRight : everyRight.slice(0, 2));
  const path = { ah_attr, path_mtu: mtu, dest_qp_num: ends.peer, rq_psn: psn } as const;
  return {
    INIT: { pkey_index: 0, port_num: 1, ...(ud ? { qkey } : { qp_access_flags: rights }) },
    RTR: { ...(!ud && path), ...(reliable && { max_dest_rd_atomic: 4, min_rnr_timer: 12 }) },
    RTS: { sq_psn: psn, ...(reliable && { timeout: 14, retry_cnt: 7, rnr_retry: 6, max_rd_atomic: 1 }) },
  };
}

/** The calls that create a QP and bring it into its state. */
export function connected(service: Service, ends: Ends, plan: Plan): VerbsCall[] {
  const { qp, number: qp_num } = ends;
  const { srq = false, size, state = 'RTS', attr = {} } = plan;
  const attributes = attributesOf(service, ends, plan);
  const made: Made<'create_qp'> = {
    pd: 1,
    qp,
    qp_num,
    qp_type: service === 'ORC' ? 'IBV_QPT_RC' : `IBV_QPT_${service}`,
    send_cq: 1,
    recv_cq: 1,
    max_recv_wr: 64,
    max_send_wr: 64,
    ...(service === 'ORC' && { ooo: true }),
    ...(srq && { srq: srqHandle }),
    ...size,
  };
  return [
    { call: 'create_qp', ...made },
    ...states.slice(1, states.indexOf(state) + 1).map((name) => {
      const usual = attributes[name] ?? {};
      const other = Object.fromEntries(Object.entries(attr).filter(([key]) => key in usual));
      const qp_state: QpState = `IBV_QPS_${name}`;
      return { call: 'modify_qp' as const, qp, attr: { qp_state, ...usual, ...other } };
    }),
  ];
}
