import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import { regionAddress, regionKey, TraceBuilder } from '../trace-builder.ts';

const rules = loadRules();
const violated = (trace: TraceBuilder) =>
  judgeTrace(trace.header, trace.events, rules).violations.map((v) => v.rule);
const payload = (length: number) => Uint8Array.from({ length }, (_, i) => i & 0xff);
const reth = (dmaLen: number, offset = 0n) => ({ va: regionAddress + offset, rkey: regionKey, dmaLen });
const write = { reth: reth(4), payload: payload(4) };
const atomicEth = { va: regionAddress, rkey: regionKey, swapOrAdd: 1n, compare: 0n };

describe('the blame for a response that nothing explains', () => {
  it('falls on the NAK that was meant, not on the packets behind it that call for none', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_ONLY', 105, write)
      .request('RDMA_WRITE_ONLY', 106, write);
    expect(violated(trace.ack(105, 0, 0x60))).toEqual(['rc-request-ahead']);
  });

  it('stays on that NAK when a duplicate has set it free', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_ONLY', 105, write)
      .request('FETCH_ADD', 90, { atomicEth });
    expect(violated(trace.ack(105, 0, 0x60))).toEqual(['rc-request-ahead']);
  });

  it('falls on the second NAK where the first was right', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_ONLY', 105, write)
      .request('RDMA_WRITE_ONLY', 106, write)
      .ack(100, 0, 0x60);
    expect(violated(trace.ack(100, 0, 0x60))).toEqual(['rc-request-ahead-after-sequence-nak']);
  });

  it('never falls on a rule that leaves a choice', () => {
    const trace = new TraceBuilder().request('RDMA_WRITE_FIRST', 100, {
      reth: reth(300),
      payload: payload(256),
      ackReq: false,
    });
    const [rule] = violated(trace.ack(100, 0, 0x63));
    expect(rules.rule(rule ?? '')?.level).toBe('must');
  });

  it('falls on what a response carries where another way explains the response itself', () => {
    // the WRITE reaches beyond the region later on, so that a NAK is one of two ways
    const trace = new TraceBuilder().request('RDMA_WRITE_FIRST', 100, {
      reth: reth(9000),
      payload: payload(256),
    });
    expect(violated(trace.ack(100, 1, 0x62))).toEqual(['rc-msn-in-nak']);
  });

  it('of a repeated ATOMIC with a new value falls on the rule of the repetition', () => {
    const answer = (value: bigint) => ({ aeth: { syndrome: 0x1f, msn: 1 }, atomicOriginal: value });
    const trace = new TraceBuilder()
      .request('FETCH_ADD', 100, { atomicEth })
      .response('ATOMIC_ACKNOWLEDGE', 100, answer(0n))
      .request('FETCH_ADD', 100, { atomicEth })
      .response('ATOMIC_ACKNOWLEDGE', 100, answer(1n));
    expect(violated(trace)).toEqual(['rc-duplicate-atomic']);
  });
});

describe('latitude found by disagreement with the reference NIC', () => {
  it('one Acknowledge of two duplicates may count what was completed between them', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_ONLY', 100, write)
      .ack(100, 1)
      .request('RDMA_WRITE_ONLY', 100, { ...write, ackReq: false })
      .request('RDMA_WRITE_ONLY', 101, { ...write, ackReq: false })
      .request('RDMA_WRITE_ONLY', 100, write);
    expect(violated(trace.ack(100, 2).settle())).toEqual([]);
  });

  it('a duplicate READ of nothing repeats no READ of bytes, and may be dropped', () => {
    const trace = new TraceBuilder()
      .request('RDMA_READ_REQUEST', 100, { reth: reth(4) })
      .response('RDMA_READ_RESPONSE_ONLY', 100, {
        aeth: { syndrome: 0x1f, msn: 1 },
        payload: new Uint8Array(4),
      })
      .request('RDMA_READ_REQUEST', 100, { reth: reth(0) });
    expect(violated(trace.settle())).toEqual([]);
  });
});
