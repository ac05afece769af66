import { judgeTrace, loadRules, type Judgement, type RuleSet } from '../../../oracle/index.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../../../oracle/trace.ts';
import type { AsyncEvent, QpAttr, QpState, QpType, SendWr, Wc, WcStatus } from '../../../spec/verbs.ts';

export const rules = loadRules();
export const qpNumber = 0x11;
const types: Record<'RC' | 'UC' | 'UD', QpType> = {
  RC: 'IBV_QPT_RC',
  UC: 'IBV_QPT_UC',
  UD: 'IBV_QPT_UD',
};

export interface Setup {
  service?: 'RC' | 'UC' | 'UD';
  srq?: boolean;
  state?: 'RESET' | 'INIT' | 'RTR' | 'RTS';
  room?: number;
  cqe?: number;
  packets?: TraceHeader['sight']['packets'];
  capabilities?: string[];
}

const states = ['RESET', 'INIT', 'RTR', 'RTS'] as const;
const region = { addr: 0x1000n, length: 64 };

/**
 * Traces of one QP by hand, calls and what they bring about. QP 1 has CQ 1 and, where asked for, SRQ 5; regions: 1 on its PD
 * with all rights, 2 without IBV_ACCESS_LOCAL_WRITE, 3 on another PD; all have 64 bytes and the lkey of their number.
 */
export class VerbsTrace {
  readonly events: TraceEvent[] = [];
  readonly header: TraceHeader;
  t = 0;

  constructor({
    service = 'UD',
    srq = false,
    state = 'RTS',
    room = 4,
    cqe = 64,
    packets = 'at-device',
    capabilities = [],
  }: Setup = {}) {
    this.header = {
      sight: { packets, verbs: true },
      clock: 'virtual',
      capabilities: ['rc', 'uc', 'ud', 'srq', 'apm', 'port-events', ...capabilities],
      dut: { addresses: ['10.0.0.1'] },
    };
    for (const mr of [1, 2, 3]) {
      const access = mr === 2 ? [] : (['IBV_ACCESS_LOCAL_WRITE'] as const);
      this.call({
        call: 'reg_mr',
        pd: mr === 3 ? 2 : 1,
        mr,
        lkey: mr,
        rkey: mr,
        access: [...access],
        ...region,
      });
    }
    this.call({ call: 'create_cq', cq: 1, cqe });
    if (srq) this.call({ call: 'create_srq', pd: 1, srq: 5, max_wr: 8, max_sge: 2 });
    this.call({
      call: 'create_qp',
      pd: 1,
      qp: 1,
      qp_num: qpNumber,
      qp_type: types[service],
      send_cq: 1,
      recv_cq: 1,
      max_send_wr: room,
      max_recv_wr: room,
      max_send_sge: 2,
      max_recv_sge: 2,
      max_inline_data: 16,
      ...(srq && { srq: 5 }),
    });
    const attributes: Record<string, QpAttr> = {
      INIT: { pkey_index: 0, port_num: 1, ...(service === 'UD' ? { qkey: 1 } : { qp_access_flags: [] }) },
      RTR:
        service === 'UD'
          ? {}
          : { path_mtu: 256, rq_psn: 0, dest_qp_num: 2, ah_attr: { dgid: '0', sgid_index: 0 } },
      RTS: { sq_psn: 0 },
    };
    for (const name of states.slice(1, states.indexOf(state) + 1))
      this.modify({ qp_state: `IBV_QPS_${name}` as QpState, ...attributes[name] });
  }

  add(event: TraceEvent): this {
    this.events.push(event);
    return this;
  }

  /** `errno`: the call was refused. */
  call(call: VerbsCall, errno?: number): this {
    const t = ++this.t;
    if (errno === undefined) return this.add({ kind: 'call', t, start: t, ...call });
    return this.add({ kind: 'call-failed', t, start: t, call: call.call, errno, attempted: call });
  }

  modify(attr: QpAttr, errno?: number): this {
    return this.call({ call: 'modify_qp', qp: 1, attr }, errno);
  }

  to(
    state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR',
    more: QpAttr = {},
    errno?: number,
  ): this {
    return this.modify({ qp_state: `IBV_QPS_${state}`, ...more }, errno);
  }

  /** A signaled SEND of 8 bytes of region 1. */
  send(wrId: number, more: Partial<SendWr> = {}, errno?: number): this {
    const wr: SendWr = {
      wr_id: wrId,
      opcode: 'IBV_WR_SEND',
      sg_list: [{ addr: region.addr, length: 8, lkey: 1 }],
      send_flags: ['IBV_SEND_SIGNALED'],
      ah: 1,
      ...more,
    };
    return this.call({ call: 'post_send', qp: 1, wr }, errno);
  }

  receive(wrId: number, errno?: number): this {
    const wr = { wr_id: wrId, sg_list: [{ addr: region.addr, length: 64, lkey: 1 }] };
    return this.call({ call: 'post_recv', qp: 1, wr }, errno);
  }

  shared(wrId: number, errno?: number): this {
    const wr = { wr_id: wrId, sg_list: [{ addr: region.addr, length: 64, lkey: 1 }] };
    return this.call({ call: 'post_srq_recv', srq: 5, wr }, errno);
  }

  done(wrId: number, status: WcStatus = 'IBV_WC_SUCCESS', more: Partial<Wc> = {}): this {
    return this.add({
      kind: 'completion',
      t: ++this.t,
      cq: 1,
      wc: { wr_id: wrId, status, qp_num: qpNumber, ...more },
    });
  }

  flush(...wrIds: number[]): this {
    for (const wrId of wrIds) this.done(wrId, 'IBV_WC_WR_FLUSH_ERR');
    return this;
  }

  event(event_type: AsyncEvent['event_type'], more: Partial<AsyncEvent> = { qp_num: qpNumber }): this {
    return this.add({ kind: 'async', t: ++this.t, event: { event_type, ...more } });
  }

  query(state: QpState): this {
    return this.call({ call: 'query_qp', qp: 1, attr: { qp_state: state } });
  }

  settle(): this {
    return this.add({ kind: 'settled', t: (this.t += 1000) });
  }

  judge(set: RuleSet = rules): Judgement {
    return judgeTrace(this.header, this.events, set);
  }

  /** Rules about the verbs that were broken. */
  broken(): string[] {
    return this.judge()
      .violations.map(({ rule }) => rule)
      .filter((id) => rules.rule(id)?.table.startsWith('verbs-'));
  }
}
