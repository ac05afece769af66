import { describe, expect, it } from 'vitest';
import { RcTrace, T } from '../trace/rc.ts';

const S = 'IBV_WR_SEND';
const silent = { ackReq: false };
const full = { payload: new Uint8Array(256) };
const some = { payload: new Uint8Array(16) };
const broken = (trace: RcTrace): string[] => trace.settle().broken();

describe('the last packet that a requester sends', () => {
  it('asks for a response', () => {
    const last = (fields = {}): RcTrace => new RcTrace().posts(S).from('SEND_ONLY', 0, some, fields);
    expect(broken(last())).toEqual([]);
    expect(broken(last(silent))).toEqual(['rc-request-unasked']);
    expect(broken(last(silent).acked(0).sent(1))).toEqual([]);
  });

  it('asks whatever those before it ask', () => {
    const two = (...asks: boolean[]): RcTrace => {
      const trace = new RcTrace().posts(S, S);
      for (const [at, ackReq] of asks.entries()) trace.from('SEND_ONLY', at, some, { ackReq });
      return trace;
    };
    expect(broken(two(false, true))).toEqual([]);
    expect(broken(two(true, false).acked(0).sent(1))).toEqual(['rc-request-unasked']);
    // the first is still to be answered, and may be so with the second
    expect(broken(two(true, false))).toEqual([]);
  });

  it('is a READ, which asks by itself', () => {
    const behind = new RcTrace().posts(S, 'IBV_WR_RDMA_READ').from('SEND_ONLY', 0, some, silent);
    const reth = { va: 0x4000n, rkey: 9, dmaLen: 16 };
    expect(broken(behind.from('RDMA_READ_REQUEST', 1, { reth }, silent))).toEqual([]);
  });

  it('need not ask where the QP waits for the end of an RNR wait, or is in SQD', () => {
    const refused = new RcTrace().posts(S).from('SEND_ONLY', 0, some, silent).acked(0, 0x3f);
    expect(broken(refused)).toEqual([]);
    const stopped = new RcTrace().posts(S, S).from('SEND_ONLY', 0, some, silent).enter('SQD');
    expect(broken(stopped)).toEqual([]);
  });

  it('has asked, where it was sent while the QP had no ACK timer', () => {
    const long = (fields = {}): RcTrace =>
      new RcTrace({ timeout: 0 })
        .send({ length: 272 })
        .from('SEND_FIRST', 0, full, silent)
        .from('SEND_LAST', 1, some, fields);
    expect(broken(long().wait(9 * T))).toEqual([]);
    expect(broken(long(silent))).toEqual(['rc-request-unasked']);
  });
});
