import { describe, expect, it } from 'vitest';
import { answer, bytes, fetchAdd, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

/** READs of 300 bytes, which take two responses each. */
class ReadTrace extends RcTrace {
  asks(at: number): this {
    return this.to('RDMA_READ_REQUEST', at, reth(300, at * 256));
  }

  first(at: number, msn: number): this {
    return this.from('RDMA_READ_RESPONSE_FIRST', at, answer(msn), { payload: bytes(256, 0) });
  }

  last(at: number, msn: number): this {
    return this.from('RDMA_READ_RESPONSE_LAST', at + 1, answer(msn), { payload: bytes(44, 0) });
  }

  whole(at: number, msn: number): this {
    return this.first(at, msn).last(at, msn);
  }

  atomic(value: bigint): this {
    return this.from('ATOMIC_ACKNOWLEDGE', 0, { ...answer(1), atomicOriginal: value });
  }
}

describe('a responder that is asked again before it has begun to answer', () => {
  const twice = (): ReadTrace => new ReadTrace().asks(0).asks(0);

  it('answers once, or twice', () => {
    expect(twice().whole(0, 1).settle().broken()).toEqual([]);
    expect(twice().whole(0, 1).whole(0, 1).settle().broken()).toEqual([]);
    expect(twice().first(0, 1).whole(0, 1).settle().broken()).toEqual([]);
  });

  it('answers at all, and whole', () => {
    expect(twice().settle().broken()).toEqual(['rc-duplicate-read']);
    expect(twice().first(0, 1).settle().broken()).toEqual(['rc-duplicate-read']);
    const begun = new ReadTrace().asks(0).first(0, 1).asks(0).last(0, 1);
    expect(begun.settle().broken()).toEqual(['rc-duplicate-read']);
  });

  it('does the same with an ATOMIC', () => {
    const asked = (): ReadTrace =>
      new ReadTrace().to('FETCH_ADD', 0, fetchAdd(5n)).to('FETCH_ADD', 0, fetchAdd(5n));
    expect(asked().atomic(0n).settle().broken()).toEqual([]);
    expect(asked().atomic(0n).atomic(0n).settle().broken()).toEqual([]);
    expect(asked().settle().broken()).toEqual(['rc-duplicate-atomic']);
  });
});

describe('a responder that goes back to a READ while others are due', () => {
  it('may go on with a later READ, from its beginning or where it was', () => {
    const back = (): ReadTrace => new ReadTrace().asks(0).asks(2).whole(0, 1).first(2, 2).asks(0).whole(0, 2);
    expect(back().settle().broken()).toEqual([]);
    expect(back().whole(2, 2).settle().broken()).toEqual([]);
    expect(back().last(2, 2).settle().broken()).toEqual([]);
    expect(back().whole(2, 2).whole(2, 2).settle().broken()).not.toEqual([]);
  });

  it('may still acknowledge what lies behind it', () => {
    const write = { ...reth(4, 4096), payload: bytes(4) };
    const back = (): ReadTrace =>
      new ReadTrace().asks(0).to('RDMA_WRITE_ONLY', 2, write).first(0, 1).asks(0).whole(0, 2);
    expect(back().ack(2, 2).settle().broken()).toEqual([]);
    expect(back().ack(2, 3).settle().broken()).toEqual(['rc-msn-counts-messages']);
  });
});

describe('a responder in ERR', () => {
  it('repeats no Acknowledge', () => {
    const write = { ...reth(4), payload: bytes(4) };
    const acknowledged = (): RcTrace => new RcTrace().to('RDMA_WRITE_ONLY', 0, write).ack(0, 1).settle();
    expect(acknowledged().ack(0, 1).settle().broken()).toEqual([]);
    const again = acknowledged().enter('ERR').settle().to('RDMA_WRITE_ONLY', 0, write);
    expect(again.ack(0, 1).settle().broken()).toEqual(['rc-drop-state']);
  });
});
