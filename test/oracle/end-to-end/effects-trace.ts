import { judgeTrace, loadRules, type Judgement, type RuleSet } from '../../../oracle/index.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../../../oracle/trace.ts';
import type {
  AccessFlag,
  EventType,
  QpAttr,
  QpState,
  QpType,
  SendWr,
  WcStatus,
  Wc,
} from '../../../spec/verbs.ts';

export const rules = loadRules();
const everything: AccessFlag[] = [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];
const header: TraceHeader = {
  sight: { packets: 'none', verbs: true },
  clock: 'virtual',
  capabilities: ['rc', 'uc', 'ud', 'atomic', 'srq'],
  timing: { responseTime: 1000, jitter: 0 },
};
const types: Record<'RC' | 'UC' | 'UD', QpType> = {
  RC: 'IBV_QPT_RC',
  UC: 'IBV_QPT_UC',
  UD: 'IBV_QPT_UD',
};

export interface Plan {
  access?: AccessFlag[];
  maxDestRdAtomic?: number;
}

/**
 * A trace without packets, written by hand: requester QP 1 and responder QP 2 of one device, connected and in RTS. Region 10
 * belongs to the requester's lists, 20 to the responder's receives, 30 is what requests aim at; 64 bytes each, of values 1..64.
 */
export class EffectsTrace {
  readonly events: TraceEvent[] = [];
  t = 0;
  private readonly service: 'RC' | 'UC' | 'UD';

  constructor(service: 'RC' | 'UC' | 'UD', plan: Plan = {}) {
    this.service = service;
    for (const mr of [10, 20, 30]) {
      this.call({
        call: 'reg_mr',
        pd: 1,
        mr,
        addr: BigInt(mr * 0x1000),
        length: 64,
        lkey: mr,
        rkey: mr,
        access: everything,
      });
      const bytes = Uint8Array.from({ length: 64 }, (_, i) => (mr === 20 ? 0 : (i + mr) & 0xff));
      this.call({ call: 'write_memory', mr, offset: 0, bytes });
    }
    for (const qp of [1, 2]) {
      this.call({
        call: 'create_qp',
        pd: 1,
        qp,
        qp_num: 16 + qp,
        qp_type: types[service],
        send_cq: 5,
        recv_cq: 5,
        max_recv_wr: 4,
        max_send_wr: 4,
      });
    }
    for (const state of ['IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'] as const)
      for (const qp of [1, 2]) this.modify(qp, state, plan);
  }

  private modify(qp: number, state: 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS', plan: Plan): void {
    this.call({ call: 'modify_qp', qp, attr: { qp_state: state, ...this.attributes(qp, state, plan) } });
  }

  private attributes(qp: number, state: 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS', plan: Plan): QpAttr {
    const { service } = this;
    const reliable = service === 'RC';
    switch (state) {
      case 'IBV_QPS_INIT':
        return {
          pkey_index: 0,
          port_num: 1,
          ...(service === 'UD' ? { qkey: 0x11 } : { qp_access_flags: plan.access ?? everything }),
        };
      case 'IBV_QPS_RTR':
        if (service === 'UD') return {};
        return {
          ah_attr: { dgid: '00000000000000000000ffff0a000001', sgid_index: 0, port_num: 1 },
          path_mtu: 1024,
          dest_qp_num: qp === 1 ? 18 : 17,
          rq_psn: 0,
          ...(reliable && { max_dest_rd_atomic: plan.maxDestRdAtomic ?? 4, min_rnr_timer: 1 }),
        };
      case 'IBV_QPS_RTS':
        return {
          sq_psn: 0,
          ...(reliable && { timeout: 1, retry_cnt: 1, rnr_retry: 1, max_rd_atomic: 1 }),
        };
    }
  }

  call(call: VerbsCall): this {
    this.events.push({ kind: 'call', t: this.t, start: this.t, ...call });
    return this;
  }

  receive(wr_id: number, length = 32, lkey = 20): this {
    return this.call({
      call: 'post_recv',
      qp: 2,
      wr: { wr_id, sg_list: [{ addr: 0x14000n, length, lkey }] },
    });
  }

  post(wr_id: number, wr: Partial<SendWr> & Pick<SendWr, 'opcode'>, length = 32): this {
    return this.call({
      call: 'post_send',
      qp: 1,
      wr: {
        wr_id,
        sg_list: [{ addr: 0xa000n, length, lkey: 10 }],
        send_flags: ['IBV_SEND_SIGNALED'],
        remote_addr: 0x1e000n,
        rkey: 30,
        remote_qpn: 18,
        remote_qkey: 0x11,
        ...wr,
      },
    });
  }

  completes(qp: 1 | 2, wr_id: number, status: WcStatus = 'IBV_WC_SUCCESS', more: Partial<Wc> = {}): this {
    const wc = { wr_id, status, qp_num: 16 + qp, ...more };
    this.events.push({ kind: 'completion', t: this.t, cq: 5, wc });
    return this;
  }

  raises(qp: 1 | 2, event_type: EventType): this {
    this.events.push({ kind: 'async', t: this.t, event: { event_type, qp_num: 16 + qp } });
    return this;
  }

  settle(after = 1000): this {
    this.t += after;
    this.events.push({ kind: 'settled', t: this.t });
    return this;
  }

  state(qp: 1 | 2, state: QpState): this {
    return this.call({ call: 'query_qp', qp, attr: { qp_state: state } });
  }

  /** Bytes of a region read back. */
  holds(mr: number, bytes: Uint8Array): this {
    this.events.push({ kind: 'memory', t: this.t, mr, offset: 0, bytes });
    return this;
  }

  judge(set: RuleSet = rules): Judgement {
    return judgeTrace(header, this.events, set);
  }

  /** Ids of the rules of effects that the trace breaks; other tables look at the same calls and completions. */
  broken(set: RuleSet = rules): string[] {
    const broken = this.judge(set).violations.map(({ rule }) => rule);
    return broken.filter((id) => set.rule(id)?.table.endsWith('-effects') === true);
  }
}

/** Content of a region as the constructor wrote it. */
export function original(mr: number): Uint8Array {
  return Uint8Array.from({ length: 64 }, (_, i) => (mr === 20 ? 0 : (i + mr) & 0xff));
}
