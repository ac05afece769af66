import { opcodeByName } from '../../../spec/constants.ts';
import type { QpAttr, WcOpcode, WcStatus, WrOpcode } from '../../../spec/verbs.ts';
import type { TraceEvent, TraceHeader } from '../../../oracle/trace.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import { packetOf, regionAddress, TraceBuilder } from '../trace-builder.ts';

const dut = { ip: '10.0.0.1', qp: 0x11 };
const peer = { ip: '10.0.0.2', qp: 0x22 };
/** first PSN */
export const p = 0x2000;
/** T of the ACK timer, in nanoseconds */
export const T = 4096 * 2 ** 8;

/** Writes traces of a requester by hand: a QP in RTS at PSN `p` with path MTU 256, on a device that answers in 20 us. */
export class RequesterTrace {
  readonly events: TraceEvent[];
  readonly header: TraceHeader;
  #t = 0;
  #wr = 0;

  constructor(attr: Partial<QpAttr> = {}) {
    const { events, header } = new TraceBuilder();
    this.header = { ...header, timing: { responseTime: 20_000, jitter: 0 } };
    this.events = events.map((event) =>
      event.kind === 'call' && event.call === 'modify_qp' && event.attr.sq_psn !== undefined
        ? { ...event, attr: { ...event.attr, timeout: 8, retry_cnt: 2, rnr_retry: 1, ...attr } }
        : event,
    );
  }

  /** Posts work requests of up to 256 bytes, each with a completion. */
  post(...opcodes: WrOpcode[]): this {
    for (const opcode of opcodes) {
      const length = opcode.includes('ATOMIC') ? 8 : 16;
      const wr = {
        wr_id: ++this.#wr,
        opcode,
        sg_list: [{ addr: regionAddress, length, lkey: 0x66 }],
        send_flags: ['IBV_SEND_SIGNALED' as const],
        remote_addr: 0x4000n,
        rkey: 9,
        compare_add: 1n,
      };
      this.events.push({ kind: 'call', t: this.#t, start: this.#t, call: 'post_send', qp: 1, wr });
    }
    return this;
  }

  /** SEND packets of the DUT at these distances from `p`. */
  send(...offsets: number[]): this {
    for (const offset of offsets)
      this.#packet('from-dut', 'SEND_ONLY', offset, { ackReq: true, payload: new Uint8Array(16) });
    return this;
  }

  /** A READ request of the DUT. */
  read(offset: number): this {
    const reth = { va: 0x4000n, rkey: 9, dmaLen: 16 };
    return this.#packet('from-dut', 'RDMA_READ_REQUEST', offset, { ackReq: true, reth });
  }

  /** Acknowledge to the DUT. */
  ack(offset: number, syndrome = 0x1f): this {
    return this.#packet('to-dut', 'ACKNOWLEDGE', offset, { aeth: { syndrome, msn: 0 } });
  }

  /** READ response to the DUT. */
  data(offset: number): this {
    const fields = { aeth: { syndrome: 0x1f, msn: 0 }, payload: new Uint8Array(16) };
    return this.#packet('to-dut', 'RDMA_READ_RESPONSE_ONLY', offset, fields);
  }

  done(wrId: number, status: WcStatus = 'IBV_WC_SUCCESS', opcode: WcOpcode = 'IBV_WC_SEND'): this {
    const wc = { wr_id: wrId, status, qp_num: dut.qp, ...(status === 'IBV_WC_SUCCESS' && { opcode }) };
    this.events.push({ kind: 'completion', t: this.#t, cq: 1, wc });
    return this;
  }

  wait(ns: number): this {
    this.#t += ns;
    return this;
  }

  /** The device or the recorder may stand still from here on for so long. */
  stall(ns: number): this {
    this.events.push({ kind: 'stall', t: this.#t, until: this.#t + ns });
    return this;
  }

  /** The recorded departure of packets of the DUT may be late by as much. */
  jitter(ns: number): this {
    this.header.timing = { responseTime: 20_000, jitter: ns };
    return this;
  }

  settle(): this {
    this.events.push({ kind: 'settled', t: (this.#t += 21_000) });
    return this;
  }

  #packet(
    direction: 'to-dut' | 'from-dut',
    operation: string,
    offset: number,
    fields: Partial<PacketFields>,
  ): this {
    const [from, to] = direction === 'to-dut' ? [peer, dut] : [dut, peer];
    const t = (this.#t += 100);
    const opcode = opcodeByName(`RC_${operation}`);
    const packet = packetOf({
      opcode,
      psn: p + offset,
      destQp: to.qp,
      srcIp: from.ip,
      dstIp: to.ip,
      ...fields,
    });
    this.events.push({ kind: 'packet', t, direction, packet, number: this.events.length + 1 });
    return this;
  }
}
