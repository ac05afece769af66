import { describe, expect, it } from 'vitest';
import { counting, fetchAdd, reth, answer } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import { rules } from '../trace/trace.ts';

const write = { ...reth(4), payload: counting(4) };

describe('the blame for a response that nothing explains', () => {
  it('falls on the NAK that was meant, not on the packets behind it that call for none', () => {
    const trace = new RcTrace().to('RDMA_WRITE_ONLY', 5, write).to('RDMA_WRITE_ONLY', 6, write);
    expect(trace.ack(5, 0, 0x60).broken()).toEqual(['rc-request-ahead']);
  });

  it('stays on that NAK when a duplicate has set it free', () => {
    const trace = new RcTrace().to('RDMA_WRITE_ONLY', 5, write).to('FETCH_ADD', -10, fetchAdd(1n));
    expect(trace.ack(5, 0, 0x60).broken()).toEqual(['rc-request-ahead']);
  });

  it('falls on the second NAK where the first was right', () => {
    const trace = new RcTrace()
      .to('RDMA_WRITE_ONLY', 5, write)
      .to('RDMA_WRITE_ONLY', 6, write)
      .ack(0, 0, 0x60);
    expect(trace.ack(0, 0, 0x60).broken()).toEqual(['rc-request-ahead-after-sequence-nak']);
  });

  it('falls on the request whose PSN a refusal has, not on what came behind it', () => {
    const first = (fields = {}) => new RcTrace().to('RDMA_WRITE_ONLY', 0, write, fields);
    const refused = (trace: RcTrace) => trace.ack(0, 0, 0x61).broken();
    const reserved = { opcode: 0x15 };
    expect(refused(first().to('RDMA_WRITE_ONLY', 1, write, reserved))).toEqual(['rc-write-complete-asked']);
    const unasked = () => first({ ackReq: false });
    expect(refused(unasked().to('RDMA_WRITE_ONLY', 1, write, { tver: 1 }))).toEqual([
      'rc-write-complete-unasked',
    ]);
    expect(refused(unasked().to('RDMA_WRITE_ONLY', 2, write))).toEqual(['rc-write-complete-unasked']);
  });

  it('never falls on a rule that leaves a choice', () => {
    const trace = new RcTrace().to('RDMA_WRITE_FIRST', 0, {
      ...reth(300),
      payload: counting(256),
      ackReq: false,
    });
    const [rule] = trace.ack(0, 0, 0x63).broken();
    expect(rules.rule(rule ?? '')?.level).toBe('must');
  });

  it('falls on what a response carries where another way explains the response itself', () => {
    // the WRITE reaches beyond the region later on, so that a NAK is one of two ways
    const trace = new RcTrace().to('RDMA_WRITE_FIRST', 0, {
      ...reth(9000),
      payload: counting(256),
    });
    expect(trace.ack(0, 1, 0x62).broken()).toEqual(['rc-msn-in-nak']);
  });

  it('of a repeated ATOMIC with a new value falls on the rule of the repetition', () => {
    const value = (atomicOriginal: bigint) => ({ ...answer(1), atomicOriginal });
    const trace = new RcTrace()
      .to('FETCH_ADD', 0, fetchAdd(1n))
      .from('ATOMIC_ACKNOWLEDGE', 0, value(0n))
      .to('FETCH_ADD', 0, fetchAdd(1n))
      .from('ATOMIC_ACKNOWLEDGE', 0, value(1n));
    expect(trace.broken()).toEqual(['rc-duplicate-atomic']);
  });
});

describe('latitude found by disagreement with the reference NIC', () => {
  it('one Acknowledge of two duplicates may count what was completed between them', () => {
    const trace = new RcTrace()
      .to('RDMA_WRITE_ONLY', 0, write)
      .ack(0, 1)
      .to('RDMA_WRITE_ONLY', 0, { ...write, ackReq: false })
      .to('RDMA_WRITE_ONLY', 1, { ...write, ackReq: false })
      .to('RDMA_WRITE_ONLY', 0, write);
    expect(trace.ack(0, 2).settle().broken()).toEqual([]);
  });

  it('a duplicate READ of nothing repeats no READ of bytes, and may be dropped', () => {
    const trace = new RcTrace()
      .to('RDMA_READ_REQUEST', 0, reth(4))
      .from('RDMA_READ_RESPONSE_ONLY', 0, {
        ...answer(1),
        payload: new Uint8Array(4),
      })
      .to('RDMA_READ_REQUEST', 0, reth(0));
    expect(trace.settle().broken()).toEqual([]);
  });
});
