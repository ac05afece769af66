import { opcodeByName } from '../../../spec/constants.ts';
import { encode } from '../../../wire/index.ts';
import type { PacketFields } from '../../../wire/index.ts';
import type { Passed } from './between-nics.ts';

/** What one end sends: the operation, its PSN and whatever differs from the usual. */
type Sent = [operation: string, psn: number, fields?: Partial<PacketFields>];

/** A conversation written by hand, a packet every 10 us: requests go to QP 0x22 at 10.0.0.2, responses to QP 0x11 at 10.0.0.1. */
export class Conversation {
  readonly frames: Passed[] = [];
  t = 0;

  request(...[operation, psn, fields = {}]: Sent): this {
    return this.#add({ opcode: opcodeByName(`RC_${operation}`), destQp: 0x22, psn, ...fields });
  }

  response(...[operation, psn, fields = {}]: Sent): this {
    const there = { srcIp: '10.0.0.2', dstIp: '10.0.0.1', destQp: 0x11 };
    return this.#add({ opcode: opcodeByName(`RC_${operation}`), psn, ...there, ...fields });
  }

  ack(psn: number, msn: number, syndrome = 0x1f): this {
    return this.response('ACKNOWLEDGE', psn, { aeth: { syndrome, msn } });
  }

  /** SENDs of one packet from PSN 0 on, each acknowledged. */
  sends(count: number): this {
    for (let psn = 0; psn < count; psn++) {
      this.request('SEND_ONLY', psn, { ackReq: true, payload: new Uint8Array(16) }).ack(psn, psn + 1);
    }
    return this;
  }

  /** The same so far; what is added goes to one of them. */
  copy(): Conversation {
    const copy = new Conversation();
    copy.frames.push(...this.frames);
    return copy.pause(this.t);
  }

  pause(nanoseconds: number): this {
    this.t += nanoseconds;
    return this;
  }

  #add(fields: PacketFields): this {
    this.frames.push({ t: this.t, frame: encode(fields) });
    return this.pause(10_000);
  }
}

export const bytes = (length: number): { payload: Uint8Array } => ({ payload: new Uint8Array(length) });
export const reth = (
  dmaLen: number,
  va = 0x1000n,
): { reth: { va: bigint; rkey: number; dmaLen: number } } => ({
  reth: { va, rkey: 7, dmaLen },
});
