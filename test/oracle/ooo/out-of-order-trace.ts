import { opcodeByName } from '../../../spec/constants.ts';
import type { OutOfOrderProfile } from '../../../spec/out-of-order.ts';
import type { AccessFlag, QpAttr, SendWr, Wc, WcStatus } from '../../../spec/verbs.ts';
import { judgeTrace, type Judgement, type RuleSet } from '../../../oracle/index.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../../../oracle/trace.ts';
import { ooethFlags, saethFlags } from '../../../wire/packet.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import { packetOf } from '../trace-builder.ts';

export const dut = { ip: '10.0.0.1', qp: 0x11 };
export const peer = { ip: '10.0.0.2', qp: 0x22 };
/** region 1, of 8192 bytes, which may be used for everything */
export const region = { addr: 0x10000n, lkey: 0x66, rkey: 0x77 };
/** region 2, of 64 bytes, which may only be read from far */
export const readable = { addr: 0x20000n, lkey: 0x68, rkey: 0x79 };
export const mtu = 256;
export const psn = 0xfffffe;

const every: AccessFlag[] = [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];

export const profile: OutOfOrderProfile = {
  window: 8,
  cap: 4,
  rto: { low: 10_000, high: 40_000, few: 2 },
  fence: 'indicator',
  fencesAll: false,
};

export const bytes = (length: number, value = 0xab): Uint8Array => new Uint8Array(length).fill(value);

export interface Ooo {
  recv?: number;
  read?: number;
  offset?: number;
}

export interface Options {
  profile?: Partial<OutOfOrderProfile>;
  timeout?: number;
  maxRdAtomic?: number;
  retryCnt?: number;
  rnrRetry?: number;
  srq?: boolean;
  /** an RC QP that places nothing out of order */
  ordinary?: boolean;
}

/** Writes traces of an out-of-order QP by hand: in RTS, with path MTU 256, PSNs before the wrap, and memory 0 at first. */
export class OutOfOrderTrace {
  readonly events: TraceEvent[] = [];
  readonly header: TraceHeader;
  readonly #srq: boolean;
  readonly #service: 'RC' | 'ORC';
  t = 0;
  #wr = 0;

  constructor({
    profile: change = {},
    timeout = 14,
    maxRdAtomic = 2,
    retryCnt = 7,
    rnrRetry = 7,
    srq = false,
    ordinary = false,
  }: Options = {}) {
    this.#srq = srq;
    this.#service = ordinary ? 'RC' : 'ORC';
    this.header = {
      sight: { packets: 'at-device', verbs: true },
      clock: 'virtual',
      capabilities: ['rc', 'atomic', 'srq', 'ooo'],
      dut: { addresses: [dut.ip] },
      outOfOrder: { ...profile, ...change },
    };
    this.call({ call: 'reg_mr', pd: 1, mr: 1, length: 8192, access: every, ...region });
    const remoteRead: AccessFlag[] = ['IBV_ACCESS_REMOTE_READ'];
    this.call({ call: 'reg_mr', pd: 1, mr: 2, length: 64, access: remoteRead, ...readable });
    if (srq) this.call({ call: 'create_srq', pd: 1, srq: 5, max_wr: 16 });
    this.call({
      call: 'create_qp',
      pd: 1,
      qp: 1,
      qp_num: dut.qp,
      qp_type: 'IBV_QPT_RC',
      send_cq: 1,
      recv_cq: 1,
      max_recv_wr: 64,
      max_send_wr: 64,
      ooo: !ordinary,
      ...(srq ? { srq: 5 } : {}),
    });
    this.modify({ qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, qp_access_flags: every });
    const ah_attr = { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 };
    const far = { rq_psn: psn, dest_qp_num: peer.qp, ah_attr, max_dest_rd_atomic: 2, min_rnr_timer: 1 };
    this.modify({ qp_state: 'IBV_QPS_RTR', path_mtu: mtu, ...far });
    const retries = { timeout, retry_cnt: retryCnt, rnr_retry: rnrRetry };
    this.modify({ qp_state: 'IBV_QPS_RTS', sq_psn: psn, max_rd_atomic: maxRdAtomic, ...retries });
  }

  call(call: VerbsCall): this {
    this.events.push({ kind: 'call', t: this.t, start: this.t, ...call });
    return this;
  }

  modify(attr: QpAttr): this {
    return this.call({ call: 'modify_qp', qp: 1, attr });
  }

  /** A receive WQE of `length` bytes at this offset of region 1; they are numbered from 1. */
  recv(length: number, offset = 4096): this {
    const sge = { addr: region.addr + BigInt(offset), length, lkey: region.lkey };
    const wr = { wr_id: ++this.#wr, sg_list: [sge] };
    return this.call(this.#srq ? { call: 'post_srq_recv', srq: 5, wr } : { call: 'post_recv', qp: 1, wr });
  }

  wait(ns: number): this {
    this.t += ns;
    return this;
  }

  /** A packet to the DUT, `at` PSNs behind the first. */
  to(operation: string, at: number, ooo: Ooo = {}, fields: Partial<PacketFields> = {}): this {
    return this.packet('to-dut', operation, at, {
      destQp: dut.qp,
      srcIp: peer.ip,
      dstIp: dut.ip,
      ...oooOf(ooo),
      ...fields,
    });
  }

  /** A packet of the DUT. */
  from(operation: string, at: number, ooo: Ooo = {}, fields: Partial<PacketFields> = {}): this {
    return this.packet('from-dut', operation, at, {
      destQp: peer.qp,
      srcIp: dut.ip,
      dstIp: peer.ip,
      ...oooOf(ooo),
      ...fields,
    });
  }

  /** An Acknowledge of the DUT up to PSN `at`, caused by `trigger`. */
  ack(at: number, msn: number, trigger: number, selective = false, syndrome = 0x1f): this {
    return this.from('ACKNOWLEDGE', at, {}, acknowledge(msn, trigger, selective, syndrome));
  }

  /** An Acknowledge to the DUT. */
  acked(at: number, msn: number, trigger = at, selective = false, syndrome = 0x1f): this {
    return this.to('ACKNOWLEDGE', at, {}, acknowledge(msn, trigger, selective, syndrome));
  }

  packet(
    direction: 'to-dut' | 'from-dut',
    operation: string,
    at: number,
    fields: Partial<PacketFields>,
  ): this {
    this.t += 10;
    const opcode = opcodeByName(`${this.#service}_${operation}`);
    const whole = { opcode, destQp: 0, ...fields, psn: (psn + at) & 0xffffff };
    this.events.push({
      kind: 'packet',
      t: this.t,
      direction,
      packet: packetOf(whole),
      number: this.events.length,
    });
    return this;
  }

  /** A send WR of the first `length` bytes of region 1. */
  send(wr: Partial<SendWr> & { length?: number } = {}): this {
    const { length = 16, ...rest } = wr;
    const given: SendWr = {
      wr_id: ++this.#wr,
      opcode: 'IBV_WR_SEND',
      sg_list: [{ addr: region.addr, length, lkey: region.lkey }],
      send_flags: ['IBV_SEND_SIGNALED'],
      remote_addr: 0x4000n,
      rkey: 9,
      ...rest,
    };
    return this.call({ call: 'post_send', qp: 1, wr: given });
  }

  done(wrId: number, status: WcStatus = 'IBV_WC_SUCCESS', wc: Partial<Wc> = {}): this {
    this.events.push({
      kind: 'completion',
      t: this.t,
      cq: 1,
      wc: { wr_id: wrId, status, qp_num: dut.qp, ...wc },
    });
    return this;
  }

  received(wrId: number, length: number, wc: Partial<Wc> = {}): this {
    return this.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV', byte_len: length, ...wc });
  }

  sent(wrId: number, wc: Partial<Wc> = {}): this {
    return this.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_SEND', ...wc });
  }

  memory(offset: number, content: Uint8Array, mr = 1): this {
    this.events.push({ kind: 'memory', t: this.t, mr, offset, bytes: content });
    return this;
  }

  settle(ns = 1000): this {
    this.events.push({ kind: 'settled', t: (this.t += ns) });
    return this;
  }

  judge(rules: RuleSet): Judgement {
    return judgeTrace(this.header, this.events, rules);
  }

  /** Rules of out-of-order QPs that are found violated, and what could not be judged. */
  broken(rules: RuleSet): string[] {
    const { violations, inconclusive, notJudged } = this.judge(rules);
    const found = violations.map(({ rule }) => rule).filter((rule) => rule.startsWith('ooo-'));
    return [...found, ...inconclusive, ...notJudged.keys()];
  }
}

function oooOf({ recv, read, offset = 0 }: Ooo): Partial<PacketFields> {
  const flags = (recv === undefined ? 0 : ooethFlags.recvWqe) | (read === undefined ? 0 : ooethFlags.readWqe);
  return { ooeth: { flags, recvWqeSn: recv ?? 0, readWqeSn: read ?? 0, offset } };
}

function acknowledge(
  msn: number,
  trigger: number,
  selective: boolean,
  syndrome: number,
): Partial<PacketFields> {
  const flags = selective ? saethFlags.selective : 0;
  return { aeth: { syndrome, msn }, saeth: { flags, trigger: (psn + trigger) & 0xffffff } };
}

/** RETH of region 1. */
export function reth(dmaLen: number, offset = 0, rkey = region.rkey): Partial<PacketFields> {
  return { reth: { va: region.addr + BigInt(offset), rkey, dmaLen } };
}

/** AtomicETH of the first word of region 1. */
export function fetchAdd(value: bigint): Partial<PacketFields> {
  return { atomicEth: { va: region.addr, rkey: region.rkey, swapOrAdd: value, compare: 0n } };
}

/** AETH of an answer. */
export const answer = (msn: number): Partial<PacketFields> => ({ aeth: { syndrome: 0x1f, msn } });

/** Payload of a packet that carries the first bytes of region 1 as they are at first. */
export const zeros = (length: number): Partial<PacketFields> => ({ payload: bytes(length, 0) });
/** RETH of the memory that send WRs name. */
export const far = (dmaLen: number): Partial<PacketFields> => ({ reth: { va: 0x4000n, rkey: 9, dmaLen } });

/** The `at`-th of SENDs of one packet is sent. */
export function sentOnce(trace: OutOfOrderTrace, at: number): OutOfOrderTrace {
  return trace.from('SEND_ONLY', at, { recv: at }, zeros(16));
}

/** `n` SENDs of one packet each are posted, and sent. */
export function sends(n: number, options?: Options): OutOfOrderTrace {
  const trace = new OutOfOrderTrace(options);
  for (let i = 0; i < n; i++) trace.send();
  for (let i = 0; i < n; i++) sentOnce(trace, i);
  return trace;
}
