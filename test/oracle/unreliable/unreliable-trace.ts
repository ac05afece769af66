import { opcodeByName } from '../../../spec/constants.ts';
import type { AccessFlag, QpAttr, SendWr, Sge, Wc, WcStatus } from '../../../spec/verbs.ts';
import { judgeTrace, type Judgement, type RuleSet } from '../../../oracle/index.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../../../oracle/trace.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import { packetOf } from '../trace-builder.ts';

export const dut = { ip: '10.0.0.1', qp: 0x11 };
export const peer = { ip: '10.0.0.2', qp: 0x22 };
/** address and keys of region 1, of 8192 bytes, which may be used for everything */
export const region = { addr: 0x10000n, lkey: 0x66, rkey: 0x77 };
export const qkey = 0x1111;
export const mtu = 256;
/** PSN that is expected first, and that the DUT begins with */
export const psn = 100;

export interface Options {
  srq?: boolean;
  capabilities?: string[];
  access?: AccessFlag[];
  state?: 'RTR' | 'RTS';
}

const every: AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'];

/** Bytes of a packet: all the same, so that tests can tell whose they are. */
export const bytes = (length: number, value = 0xab): Uint8Array => new Uint8Array(length).fill(value);

/** Writes traces of a UC or UD QP by hand: in RTS, with path MTU 256, and every region's bytes 0 at first. */
export class UnreliableTrace {
  readonly events: TraceEvent[] = [];
  readonly header: TraceHeader;
  readonly #service: 'UC' | 'UD';
  readonly #srq: boolean;
  #t = 0;
  #wr = 0;

  constructor(service: 'UC' | 'UD', { srq = false, capabilities = [], access = every, state }: Options = {}) {
    this.#service = service;
    this.#srq = srq;
    this.header = {
      sight: { packets: 'at-device', verbs: true },
      clock: 'virtual',
      capabilities: ['uc', 'ud', 'srq', ...capabilities],
      dut: { addresses: [dut.ip] },
    };
    this.call({ call: 'reg_mr', pd: 1, mr: 1, length: 8192, access: every, ...region });
    if (srq) this.call({ call: 'create_srq', pd: 1, srq: 5, max_wr: 16 });
    this.call({
      call: 'create_qp',
      pd: 1,
      qp: 1,
      qp_num: dut.qp,
      qp_type: service === 'UC' ? 'IBV_QPT_UC' : 'IBV_QPT_UD',
      send_cq: 1,
      recv_cq: 1,
      max_recv_wr: 64,
      max_send_wr: 64,
      ...(srq ? { srq: 5 } : {}),
    });
    const ud = service === 'UD';
    const init = ud ? { qkey } : { qp_access_flags: access };
    this.modify({ qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, ...init });
    const ah_attr = { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 };
    const path = { path_mtu: mtu, rq_psn: psn, dest_qp_num: peer.qp, ah_attr } as const;
    this.modify({ qp_state: 'IBV_QPS_RTR', ...(ud ? {} : path) });
    if (ud) this.call({ call: 'create_ah', pd: 1, ah: 7, attr: ah_attr });
    if (state !== 'RTR') this.modify({ qp_state: 'IBV_QPS_RTS', sq_psn: psn });
  }

  call(call: VerbsCall): this {
    this.events.push({ kind: 'call', t: this.#t, start: this.#t, ...call });
    return this;
  }

  modify(attr: QpAttr): this {
    return this.call({ call: 'modify_qp', qp: 1, attr });
  }

  /** A receive WQE of `length` bytes at this offset of the region. */
  recv(length: number, offset = 4096, change: Partial<Sge> = {}): this {
    const sge = { addr: region.addr + BigInt(offset), length, lkey: region.lkey, ...change };
    const wr = { wr_id: ++this.#wr, sg_list: [sge] };
    return this.call(this.#srq ? { call: 'post_srq_recv', srq: 5, wr } : { call: 'post_recv', qp: 1, wr });
  }

  /** A packet to the DUT, `offset` PSNs behind the first; operation without the service. */
  to(operation: string, offset: number, fields: Partial<PacketFields> = {}): this {
    const deth = this.#service === 'UD' ? { deth: { qkey, srcQp: peer.qp } } : {};
    const ends = { destQp: dut.qp, srcIp: peer.ip, dstIp: dut.ip };
    return this.#packet('to-dut', operation, offset, { ...ends, ...deth, ...fields });
  }

  /** A packet of the DUT. */
  from(operation: string, offset: number, fields: Partial<PacketFields> = {}): this {
    const deth = this.#service === 'UD' ? { deth: { qkey, srcQp: dut.qp } } : {};
    const ends = { destQp: peer.qp, srcIp: dut.ip, dstIp: peer.ip };
    return this.#packet('from-dut', operation, offset, { ...ends, ...deth, ...fields });
  }

  #packet(
    direction: 'to-dut' | 'from-dut',
    operation: string,
    offset: number,
    fields: Partial<PacketFields>,
  ): this {
    this.#t += 10;
    const opcode = opcodeByName(`${this.#service}_${operation}`);
    const whole = { opcode, psn: psn + offset, destQp: 0, ...fields };
    this.events.push({
      kind: 'packet',
      t: this.#t,
      direction,
      packet: packetOf(whole),
      number: this.events.length,
    });
    return this;
  }

  /** A send WR with a completion, of the first `length` bytes of the region. */
  send(wr: Partial<SendWr> & { length?: number } = {}): this {
    const { length = 16, ...rest } = wr;
    const ud = this.#service === 'UD' ? { ah: 7, remote_qpn: peer.qp, remote_qkey: qkey } : {};
    const sg_list = [{ addr: region.addr, length, lkey: region.lkey }];
    const given: SendWr = {
      wr_id: ++this.#wr,
      opcode: 'IBV_WR_SEND',
      sg_list,
      send_flags: ['IBV_SEND_SIGNALED'],
      remote_addr: 0x4000n,
      rkey: 9,
      ...ud,
      ...rest,
    };
    return this.call({ call: 'post_send', qp: 1, wr: given });
  }

  done(wrId: number, status: WcStatus = 'IBV_WC_SUCCESS', wc: Partial<Wc> = {}): this {
    this.events.push({
      kind: 'completion',
      t: this.#t,
      cq: 1,
      wc: { wr_id: wrId, status, qp_num: dut.qp, ...wc },
    });
    return this;
  }

  /** Completion of a receive, with success. */
  received(wrId: number, length: number, wc: Partial<Wc> = {}): this {
    const ud = this.#service === 'UD' ? { src_qp: peer.qp, grh: true } : {};
    return this.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV', byte_len: length, ...ud, ...wc });
  }

  /** Completion of a send, with success. */
  sent(wrId: number, wc: Partial<Wc> = {}): this {
    return this.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_SEND', ...wc });
  }

  memory(offset: number, content: Uint8Array): this {
    this.events.push({ kind: 'memory', t: this.#t, mr: 1, offset, bytes: content });
    return this;
  }

  state(qp_state: QpAttr['qp_state'] & string): this {
    return this.call({ call: 'query_qp', qp: 1, attr: { qp_state } });
  }

  settle(): this {
    this.events.push({ kind: 'settled', t: (this.#t += 1000) });
    return this;
  }

  judge(rules: RuleSet): Judgement {
    return judgeTrace(this.header, this.events, rules);
  }

  /** Rules of UC and UD that are found violated. */
  broken(rules: RuleSet): string[] {
    const { violations, inconclusive } = this.judge(rules);
    const found = violations.map(({ rule }) => rule).filter((rule) => /^(uc|ud|unreliable)-/.test(rule));
    return [...found, ...inconclusive];
  }
}
