import type { QpAttr, WrOpcode } from '../../../spec/verbs.ts';
import { answer, type Fields } from './packets.ts';
import type { Plan } from './setup.ts';
import { Trace } from './trace.ts';

/** T of the ACK timer, in nanoseconds */
export const T = 4096 * 2 ** 8;
const responseTime = 20_000;

/** An AETH is in what answers; requests ask for an Acknowledge. */
const asking = (operation: string): Fields => ({ ackReq: !/ACKNOWLEDGE|RESPONSE/.test(operation) });

/** Traces of an RC QP, on a device that answers in 20 us. */
export class RcTrace extends Trace {
  constructor(attr: QpAttr = {}, plan: Plan = {}) {
    super('RC', {
      header: { timing: { responseTime, jitter: 0 } },
      // tests ask a QP for its state alone
      judged: /^(?!attributes\/qp-query)/,
      pace: { packet: 100, settle: responseTime + 1000 },
      attr: { timeout: 8, retry_cnt: 2, rnr_retry: 1, ...attr },
      ...plan,
    });
  }

  override to(operation: string, at: number, ...fields: Fields[]): this {
    return super.to(operation, at, asking(operation), ...fields);
  }

  override from(operation: string, at: number, ...fields: Fields[]): this {
    return super.from(operation, at, asking(operation), ...fields);
  }

  /** An Acknowledge of the DUT. */
  ack(at: number, msn: number, syndrome?: number, fields: Fields = {}): this {
    return this.from('ACKNOWLEDGE', at, answer(msn, syndrome), fields);
  }

  /** An Acknowledge to the DUT. */
  acked(at: number, syndrome?: number): this {
    return this.to('ACKNOWLEDGE', at, answer(0, syndrome));
  }

  /** Work requests of one packet each, with a completion. */
  posts(...opcodes: WrOpcode[]): this {
    for (const opcode of opcodes) this.send({ opcode });
    return this;
  }

  /** SENDs of one packet that leave the DUT. */
  sends(...at: number[]): this {
    for (const each of at) this.from('SEND_ONLY', each, { payload: new Uint8Array(16) });
    return this;
  }

  /** A READ request of the DUT. */
  reads(at: number): this {
    return this.from('RDMA_READ_REQUEST', at, { reth: { va: 0x4000n, rkey: 9, dmaLen: 16 } });
  }

  /** The response to it. */
  data(at: number): this {
    return this.to('RDMA_READ_RESPONSE_ONLY', at, answer(0), { payload: new Uint8Array(16) });
  }

  /** The device or the recorder may stand still from here on for so long. */
  stall(ns: number): this {
    return this.add({ kind: 'stall', t: this.t, until: this.t + ns });
  }

  /** The recorded departure of packets of the DUT may be late by as much. */
  jitter(ns: number): this {
    this.header.timing = { responseTime, jitter: ns };
    return this;
  }
}
