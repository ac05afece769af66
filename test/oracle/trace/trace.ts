import { judgeTrace, loadRules, type Judgement, type RuleSet } from '../../../oracle/index.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../../../oracle/trace.ts';
import type { AsyncEvent, QpAttr, QpState, SendWr, Sge, Wc, WcStatus } from '../../../spec/verbs.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import { dut, packetFields, packetOf, peer, qkey, region, type Fields, type Service } from './packets.ts';
import { ahHandle, connected, headerOf, objectsOf, srqHandle, type Ends, type Plan } from './setup.ts';

export const rules = loadRules();
const first: Ends = { qp: 1, number: dut.qp, peer: peer.qp };

/**
 * Writes traces by hand: a QP of a service, connected to a peer, what is asked of it and what it does. Times are nanoseconds;
 * PSNs of packets count from the first one of the plan.
 */
export class Trace {
  readonly events: TraceEvent[] = [];
  readonly header: TraceHeader;
  readonly service: Service;
  readonly #plan: Plan;
  t = 0;
  /** where PSNs count from */
  psn: number;
  #wr = 0;

  constructor(service: Service, plan: Plan = {}) {
    this.service = service;
    this.#plan = plan;
    this.psn = plan.psn ?? 100;
    this.header = headerOf(plan);
    for (const call of objectsOf(service, plan)) this.call(call);
    for (const ends of plan.qps ?? [first]) this.qp(ends);
  }

  /** One more QP, in the same state as the first. */
  qp(ends: Ends): this {
    for (const call of connected(this.service, ends, this.#plan)) this.call(call);
    return this;
  }

  /** RESET, and back into the state of before; PSNs count from `psn`. */
  restart(psn: number): this {
    const [ends = first] = this.#plan.qps ?? [];
    this.psn = psn;
    this.enter('RESET');
    for (const call of connected(this.service, ends, { ...this.#plan, psn }).slice(1)) this.call(call);
    return this;
  }

  add(event: TraceEvent): this {
    this.events.push(event);
    return this;
  }

  wait(ns: number): this {
    this.t += ns;
    return this;
  }

  /** From now on it is so late. */
  at(t: number): this {
    this.t = t;
    return this;
  }

  /** `errno`: the call was refused. */
  call(call: VerbsCall, errno?: number): this {
    const t = (this.t += this.#plan.pace?.call ?? 0);
    if (errno === undefined) return this.add({ kind: 'call', t, start: t, ...call });
    return this.add({ kind: 'call-failed', t, start: t, call: call.call, errno, attempted: call });
  }

  modify(attr: QpAttr, errno?: number): this {
    return this.call({ call: 'modify_qp', qp: 1, attr }, errno);
  }

  enter(state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'ERR', more: QpAttr = {}, errno?: number): this {
    return this.modify({ qp_state: `IBV_QPS_${state}`, ...more }, errno);
  }

  /** State of the QP as ibv_query_qp tells it. */
  state(qp_state: QpState, qp = 1): this {
    return this.call({ call: 'query_qp', qp, attr: { qp_state } });
  }

  /** A receive WQE of `length` bytes at this offset of region 1; work requests are numbered from 1 as they are posted. */
  recv(length = 256, offset = 4096, change: Partial<Sge> = {}): this {
    const sge = { addr: region.addr + BigInt(offset), length, lkey: region.lkey, ...change };
    const wr = { wr_id: ++this.#wr, sg_list: [sge] };
    const shared = this.#plan.srq === true;
    return this.call(
      shared ? { call: 'post_srq_recv', srq: srqHandle, wr } : { call: 'post_recv', qp: 1, wr },
    );
  }

  /** A send work request with a completion, of the first `length` bytes of region 1. */
  send({ length = 16, ...wr }: Partial<SendWr> & { length?: number } = {}, errno?: number): this {
    const ud = { ah: ahHandle, remote_qpn: peer.qp, remote_qkey: qkey };
    const given: SendWr = {
      wr_id: wr.wr_id ?? ++this.#wr,
      opcode: 'IBV_WR_SEND',
      sg_list: [{ addr: region.addr, length, lkey: region.lkey }],
      send_flags: ['IBV_SEND_SIGNALED'],
      remote_addr: 0x4000n,
      rkey: 9,
      ...(this.service === 'UD' && ud),
      ...wr,
    };
    return this.call({ call: 'post_send', qp: 1, wr: given }, errno);
  }

  /** A packet to the DUT, `at` PSNs behind the first; operation without the service, such as `SEND_ONLY`. */
  to(operation: string, at: number, ...fields: Fields[]): this {
    const all: Fields = Object.assign({}, ...fields);
    return this.packet('to-dut', packetFields(this.service, 'to-dut', operation, this.psn + at, all));
  }

  /** A packet of the DUT. */
  from(operation: string, at: number, ...fields: Fields[]): this {
    const all: Fields = Object.assign({}, ...fields);
    return this.packet('from-dut', packetFields(this.service, 'from-dut', operation, this.psn + at, all));
  }

  packet(direction: 'to-dut' | 'from-dut', fields: PacketFields): this {
    const t = (this.t += this.#plan.pace?.packet ?? 10);
    return this.add({ kind: 'packet', t, direction, packet: packetOf(fields), number: this.events.length });
  }

  done(wr_id: number, status: WcStatus = 'IBV_WC_SUCCESS', more: Partial<Wc> = {}): this {
    const t = (this.t += this.#plan.pace?.call ?? 0);
    return this.add({ kind: 'completion', t, cq: 1, wc: { wr_id, status, qp_num: dut.qp, ...more } });
  }

  /** Completion of a receive, with success. */
  received(wrId: number, length: number, more: Partial<Wc> = {}): this {
    const ud = this.service === 'UD' && { src_qp: peer.qp, grh: true };
    return this.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV', byte_len: length, ...ud, ...more });
  }

  /** Completion of a send, with success. */
  sent(wrId: number, more: Partial<Wc> = {}): this {
    return this.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_SEND', ...more });
  }

  event(event_type: AsyncEvent['event_type'], more: Partial<AsyncEvent> = { qp_num: dut.qp }): this {
    const t = (this.t += this.#plan.pace?.call ?? 0);
    return this.add({ kind: 'async', t, event: { event_type, ...more } });
  }

  /** The link of the port goes or comes. */
  link(up: boolean): this {
    return this.add({ kind: 'link', t: this.t, start: this.t, up });
  }

  /** Bytes of a region as they are read back. */
  memory(offset: number, content: Uint8Array, mr = 1): this {
    return this.add({ kind: 'memory', t: this.t, mr, offset, bytes: content });
  }

  settle(ns = this.#plan.pace?.settle ?? 1000): this {
    return this.add({ kind: 'settled', t: (this.t += ns) });
  }

  judge(set: RuleSet = rules): Judgement {
    return judgeTrace(this.header, this.events, set);
  }

  /** Rules under test that are found violated, and what stays in doubt. */
  broken(set: RuleSet = rules): string[] {
    const { judged = /./, doubts = [] } = this.#plan;
    const found = this.judge(set);
    const place = (id: string): string => `${set.rule(id)?.location.file.split('/').at(-2)}/${id}`;
    return [
      ...found.violations.map(({ rule }) => rule).filter((id) => judged.test(place(id))),
      ...doubts.flatMap((kind) => (kind === 'notJudged' ? [...found.notJudged.keys()] : found.inconclusive)),
    ];
  }
}
