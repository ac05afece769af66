import { describe, expect, it } from 'vitest';
import { answer, bytes, packetFields } from '../trace/packets.ts';
import { Trace } from '../trace/trace.ts';

const a = { qp: 1, number: 0x11, peer: 0x22 };
const b = { qp: 2, number: 0x12, peer: 0x23 };
type Ends = typeof a;
const rnrNak = 0x2c;
const invalidRequest = 0x61;
const sequenceError = 0x60;

/** Two RC QPs on one SRQ. */
class Shared extends Trace {
  constructor() {
    super('RC', {
      srq: true,
      qps: [a, b],
      judged: /^(?:rc-responder|verbs)\//,
      doubts: ['inconclusive'],
      pace: { packet: 10, settle: 1000 },
    });
  }

  #packet(
    direction: 'to-dut' | 'from-dut',
    { number, peer }: Ends,
    name: string,
    at: number,
    more: object,
  ): this {
    const fields = packetFields('RC', direction, name, this.psn + at, more);
    return this.packet(direction, { ...fields, destQp: direction === 'to-dut' ? number : peer });
  }

  arrives(ends: Ends, name: string, at: number, payload: Uint8Array = bytes(16)): this {
    return this.#packet('to-dut', ends, name, at, { ackReq: true, payload });
  }

  answers(ends: Ends, at: number, msn: number, syndrome?: number): this {
    return this.#packet('from-dut', ends, 'ACKNOWLEDGE', at, answer(msn, syndrome));
  }

  gets(ends: Ends, wrId: number, length = 16): this {
    return this.received(wrId, length, { qp_num: ends.number });
  }

  resets({ qp }: Ends): this {
    return this.call({ call: 'modify_qp', qp, attr: { qp_state: 'IBV_QPS_RESET' } });
  }
}

/** Receives of 256 bytes, one behind the other. */
function posted(count: number): Shared {
  const trace = new Shared();
  for (let i = 0; i < count; i++) trace.recv(256, 4096 + 256 * i);
  return trace;
}

const one = (trace: Shared, ends: Ends): Shared => trace.arrives(ends, 'SEND_ONLY', 0).answers(ends, 0, 1);

describe('an SRQ of two RC QPs', () => {
  it('gives each of them a WQE, whichever it is', () => {
    for (const [first, second] of [
      [1, 2],
      [2, 1],
    ] as const)
      expect(
        one(one(posted(2), a), b)
          .gets(a, first)
          .gets(b, second)
          .settle()
          .broken(),
      ).toEqual([]);
  });

  it('gives none of its WQEs to both', () => {
    const twice = one(one(posted(2), a), b)
      .gets(a, 1)
      .gets(b, 1)
      .settle();
    expect(twice.broken()).toContain('rc-receive-undue');
  });

  it('may take any that is large enough, and is blamed by the oldest', () => {
    const two = (): Shared => new Shared().recv(64, 4096).recv(256, 8192);
    const long = (length: number): Shared => two().arrives(a, 'SEND_ONLY', 0, bytes(length));
    const blamed = (trace: Shared): string[] =>
      trace
        .settle()
        .broken()
        .filter((rule) => rule.startsWith('rc-send'));
    expect(blamed(long(100).answers(a, 0, 1))).toEqual([]);
    expect(blamed(long(100).answers(a, 0, 0, invalidRequest))).toEqual([]);
    expect(blamed(long(100).answers(a, 0, 0, sequenceError))).toEqual(['rc-send-too-long']);
    expect(blamed(long(16).answers(a, 0, 0, sequenceError))).toEqual(['rc-send-complete-asked']);
  });

  it('is empty when each of its WQEs is taken', () => {
    const taken = (): Shared => one(posted(1), a).gets(a, 1).settle().arrives(b, 'SEND_ONLY', 0);
    expect(taken().answers(b, 0, 0, rnrNak).settle().broken()).toEqual([]);
    expect(taken().answers(b, 0, 1).settle().broken()).toContain('rc-receiver-not-ready');
    const waits = posted(2).arrives(b, 'SEND_ONLY', 0).answers(b, 0, 0, rnrNak);
    expect(waits.settle().broken()).not.toEqual([]);
  });

  it('gives its last WQE to either of two that ask at the same time', () => {
    const both = (): Shared => posted(1).arrives(a, 'SEND_ONLY', 0).arrives(b, 'SEND_ONLY', 0);
    const won = (winner: Ends, loser: Ends): Shared =>
      both().answers(winner, 0, 1).answers(loser, 0, 0, rnrNak).gets(winner, 1).settle();
    expect(won(a, b).broken()).toEqual([]);
    expect(won(b, a).broken()).toEqual([]);
    const none = both().answers(a, 0, 1).answers(b, 0, 1).gets(a, 1).gets(b, 1).settle();
    expect(none.broken()).toContain('rc-receive-undue');
  });

  it('does not get back what a QP held that is reset', () => {
    const reset = (): Shared =>
      one(posted(2).arrives(a, 'SEND_FIRST', 0, bytes(256)).answers(a, 0, 0).settle().resets(a), b)
        .gets(b, 2)
        .settle()
        .arrives(b, 'SEND_ONLY', 1);
    expect(reset().answers(b, 1, 1, rnrNak).settle().broken()).toEqual([]);
    expect(reset().answers(b, 1, 2).settle().broken()).toContain('rc-receiver-not-ready');
  });

  it('has the bytes of a message in the WQE that completes', () => {
    const done = one(posted(2), a).gets(a, 2).settle();
    expect(done.memory(4096 + 256, bytes(16)).broken()).toEqual([]);
    const elsewhere = one(posted(2), a).gets(a, 2).settle().memory(4096, bytes(16));
    expect(elsewhere.broken()).toEqual(['rc-memory-unnamed']);
  });

  it('completes what a QP held that goes to ERR', () => {
    const failed = (): Shared =>
      posted(2).arrives(a, 'SEND_FIRST', 0, bytes(256)).answers(a, 0, 0).settle().enter('ERR');
    const event = { qp_num: a.number };
    const flushed = failed().done(1, 'IBV_WC_WR_FLUSH_ERR').event('IBV_EVENT_QP_LAST_WQE_REACHED', event);
    expect(flushed.settle().broken()).toEqual([]);
    const kept = failed().event('IBV_EVENT_QP_LAST_WQE_REACHED', event);
    expect(kept.settle().broken()).toContain('rc-receive-flushed');
  });
});
