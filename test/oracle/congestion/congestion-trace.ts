import { opcodeByName } from '../../../spec/constants.ts';
import type { CongestionProfile, RateCause, RateRecord, SwitchPlan } from '../../../spec/congestion.ts';
import { dcqcnProfile } from '../../../spec/dcqcn.ts';
import type { AsyncEvent, QpAttr, QpType, SendWr } from '../../../spec/verbs.ts';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import type { Judgement, TraceEvent, TraceHeader } from '../../../oracle/trace.ts';
import { decode, encode } from '../../../wire/index.ts';
import type { Packet, PacketFields } from '../../../wire/packet.ts';

export const rules = loadRules();
export const dut = { ip: '10.0.0.1', qp: 0x11 };
export const peer = { ip: '10.0.0.2', qp: 0x22 };
export const brisk = dcqcnProfile('brisk');
export const responseTime = 1000;
const mtu = 1024;

function packetOf(fields: PacketFields): Packet {
  const decoded = decode(encode(fields));
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

export interface CongestionTraceOptions {
  service?: 'RC' | 'UC' | 'UD';
  profile?: CongestionProfile;
  path?: SwitchPlan;
  capabilities?: readonly string[];
}

/** Writes traces of a device with congestion control by hand: one QP in RTS, or several; times in nanoseconds. */
export class CongestionTrace {
  readonly events: TraceEvent[] = [];
  readonly header: TraceHeader;
  readonly service: 'RC' | 'UC' | 'UD';
  #t = 0;
  #psn = 0;
  #wr = 0;

  constructor({ service = 'RC', profile = brisk, path, capabilities }: CongestionTraceOptions = {}) {
    this.service = service;
    this.header = {
      sight: { packets: 'at-device', verbs: true },
      clock: 'virtual',
      capabilities: capabilities ?? ['rc', 'uc', 'ud', 'rcm', 'dcqcn', 'rate-reports'],
      dut: { addresses: [dut.ip] },
      congestion: profile,
      timing: { responseTime, jitter: 0 },
      ...(path === undefined ? {} : { path }),
    };
    this.qp(1, dut.qp, peer.qp);
  }

  qp(handle: number, number: number, peerNumber: number): this {
    const qp_type: QpType = `IBV_QPT_${this.service}`;
    const made = { pd: 1, qp: handle, qp_num: number, qp_type, send_cq: 1, recv_cq: 1 };
    this.#call({ call: 'create_qp', ...made, max_recv_wr: 64, max_send_wr: 64 });
    const ud = this.service === 'UD';
    const access = ud ? { qkey: 0x11111111 } : { qp_access_flags: [] };
    this.modify({ qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, ...access }, handle);
    const ah_attr = { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 };
    const connected = { path_mtu: mtu, rq_psn: 0, dest_qp_num: peerNumber, ah_attr } as const;
    const reliable = { min_rnr_timer: 12, max_dest_rd_atomic: 1 };
    this.modify(
      { qp_state: 'IBV_QPS_RTR', ...(ud ? {} : connected), ...(this.service === 'RC' ? reliable : {}) },
      handle,
    );
    const timed = { timeout: 0, retry_cnt: 7, rnr_retry: 7, max_rd_atomic: 1 };
    return this.modify(
      { qp_state: 'IBV_QPS_RTS', sq_psn: 0, ...(this.service === 'RC' ? timed : {}) },
      handle,
    );
  }

  #call(call: Extract<TraceEvent, { kind: 'call' }> extends infer C ? DistributiveOmit<C> : never): void {
    this.events.push({ kind: 'call', t: this.#t, start: this.#t, ...call });
  }

  modify(attr: QpAttr, qp = 1): this {
    this.#call({ call: 'modify_qp', qp, attr });
    return this;
  }

  /** From now on it is so late. */
  at(t: number): this {
    this.#t = t;
    return this;
  }

  #packet(direction: 'to-dut' | 'from-dut', fields: PacketFields): this {
    const number = this.events.length;
    this.events.push({ kind: 'packet', t: this.#t, direction, packet: packetOf(fields), number });
    return this;
  }

  /** A SEND Only to the device; 3: it met congestion. */
  arrives(ecn: number, fields: Partial<PacketFields> = {}): this {
    const psn = this.#psn++;
    const deth = { qkey: 0x11111111, srcQp: peer.qp };
    return this.#packet('to-dut', {
      opcode: opcodeByName(`${this.service}_SEND_ONLY`),
      ...(this.service === 'UD' ? { deth } : {}),
      psn,
      destQp: dut.qp,
      srcIp: peer.ip,
      dstIp: dut.ip,
      trafficClass: ecn,
      payload: new Uint8Array(8),
      ...fields,
    });
  }

  /** A frame that the port of RoCEv2 does not take. */
  frame(ecn: number): this {
    const fields = { opcode: 4, psn: 0, destQp: dut.qp, srcIp: peer.ip, dstIp: dut.ip, trafficClass: ecn };
    const frame = encode(fields);
    frame[37] = (frame[37] ?? 0) ^ 1;
    this.events.push({ kind: 'frame', t: this.#t, direction: 'to-dut', frame });
    return this;
  }

  #cnp(fields: Partial<PacketFields>): PacketFields {
    return {
      opcode: opcodeByName('CNP'),
      psn: 0,
      migReq: false,
      destQp: peer.qp,
      trafficClass: 1,
      ...fields,
    };
  }

  /** A CNP from the device. */
  cnp(fields: Partial<PacketFields> = {}): this {
    return this.#packet('from-dut', this.#cnp({ srcIp: dut.ip, dstIp: peer.ip, ...fields }));
  }

  /** A CNP to the device. */
  cnpArrives(fields: Partial<PacketFields> = {}): this {
    return this.#packet('to-dut', this.#cnp({ srcIp: peer.ip, dstIp: dut.ip, destQp: dut.qp, ...fields }));
  }

  /** The device is given `bytes` to send. */
  posts(bytes: number): this {
    const wr: SendWr = {
      wr_id: ++this.#wr,
      opcode: 'IBV_WR_SEND',
      sg_list: [{ addr: 0n, length: bytes, lkey: 1 }],
    };
    this.#call({ call: 'post_send', qp: 1, wr });
    return this;
  }

  /** The device sends `bytes` of payload. */
  sends(bytes: number, fields: Partial<PacketFields> = {}): this {
    return this.#packet('from-dut', {
      opcode: opcodeByName(`${this.service}_SEND_ONLY`),
      psn: this.#psn++,
      destQp: peer.qp,
      srcIp: dut.ip,
      dstIp: peer.ip,
      trafficClass: 2,
      payload: new Uint8Array(bytes),
      ...fields,
    });
  }

  rate(cause: RateCause, state: Pick<RateRecord, 'rate' | 'target' | 'alpha'>, qp_num = dut.qp): this {
    const { rate, target, alpha } = state;
    this.events.push({ kind: 'rate', t: this.#t, record: { qp_num, cause, rate, target, alpha } });
    return this;
  }

  async(event: AsyncEvent): this {
    this.events.push({ kind: 'async', t: this.#t, event });
    return this;
  }

  hop(hop: {
    queued: number;
    in: number;
    out: number;
    fate?: 'forwarded' | 'dropped';
    paused?: boolean;
  }): this {
    const { queued, in: ecnIn, out: ecnOut, fate = 'forwarded', paused = false } = hop;
    this.events.push({ kind: 'hop', t: this.#t, queued, bytes: 1000, ecnIn, ecnOut, fate, paused });
    return this;
  }

  settle(): this {
    this.events.push({ kind: 'settled', t: this.#t });
    return this;
  }

  judge(): Judgement {
    return judgeTrace(this.header, this.events, rules);
  }

  /** Rules of congestion control found violated; rules of the transport service are tested elsewhere. */
  broken(): string[] {
    return this.judge()
      .violations.map(({ rule }) => rule)
      .filter((rule) => rule.startsWith('cc-'));
  }
}

type DistributiveOmit<C> = C extends unknown ? Omit<C, 'kind' | 't' | 'start'> : never;
