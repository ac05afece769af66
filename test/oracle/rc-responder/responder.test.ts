import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import { regionAddress, regionKey, TraceBuilder } from '../trace-builder.ts';

const rules = loadRules();
// what the traces leave out of verbs calls is no matter here
const ofResponder = (rule: string) => !rule.startsWith('qp-');
const judged = (trace: TraceBuilder) => judgeTrace(trace.header, trace.events, rules);
const violated = (trace: TraceBuilder) =>
  judged(trace)
    .violations.map((v) => v.rule)
    .filter(ofResponder);
const payload = (length: number, first = 0) => Uint8Array.from({ length }, (_, i) => (first + i) & 0xff);
const reth = (dmaLen: number, offset = 0n) => ({ va: regionAddress + offset, rkey: regionKey, dmaLen });

describe('what a conformant responder may do', () => {
  it('acknowledges a SEND and completes its receive WQE', () => {
    const trace = new TraceBuilder()
      .post()
      .request('SEND_ONLY', 100, { payload: payload(8) })
      .ack(100, 1)
      .completion(1, 'IBV_WC_SUCCESS', 8)
      .settle();
    expect(judged(trace).violations).toEqual([]);
    expect(judged(trace).exercised.get('rc-send-complete-asked')).toBe(1);
  });

  it('coalesces Acknowledges into a later one', () => {
    const trace = new TraceBuilder();
    for (const psn of [100, 101, 102])
      trace.request('RDMA_WRITE_ONLY', psn, { reth: reth(4), payload: payload(4) });
    expect(violated(trace.ack(102, 3).settle())).toEqual([]);
  });

  it('wraps the PSN', () => {
    const trace = new TraceBuilder(0xffffff)
      .request('RDMA_WRITE_FIRST', 0xffffff, { reth: reth(300), payload: payload(256), ackReq: false })
      .request('RDMA_WRITE_LAST', 0, { payload: payload(44) })
      .ack(0, 1)
      .request('RDMA_WRITE_LAST', 0, { payload: payload(44) })
      .ack(0, 1)
      .memory(0, Uint8Array.from([...payload(256), ...payload(44)]))
      .settle();
    expect(violated(trace)).toEqual([]);
  });

  it('acknowledges or refuses a SEND that races with ibv_post_recv', () => {
    const late = new TraceBuilder().request('SEND_ONLY', 100, { payload: payload(8) }).post();
    expect(violated(late.ack(100, 1).completion(1, 'IBV_WC_SUCCESS', 8).settle())).toEqual([]);
    const early = new TraceBuilder().request('SEND_ONLY', 100, { payload: payload(8) }).post();
    expect(violated(early.ack(100, 0, 0x2c).settle())).toEqual([]);
  });

  it('answers an ATOMIC once and replays its result', () => {
    const atomicEth = { va: regionAddress, rkey: regionKey, swapOrAdd: 5n, compare: 0n };
    const trace = new TraceBuilder()
      .request('FETCH_ADD', 100, { atomicEth })
      .response('ATOMIC_ACKNOWLEDGE', 100, { aeth: { syndrome: 0x1f, msn: 1 }, atomicOriginal: 0n })
      .request('FETCH_ADD', 100, { atomicEth })
      .response('ATOMIC_ACKNOWLEDGE', 100, { aeth: { syndrome: 0x1f, msn: 1 }, atomicOriginal: 0n })
      .settle()
      .memory(0, Uint8Array.from([5, 0, 0, 0, 0, 0, 0, 0]));
    expect(violated(trace)).toEqual([]);
  });

  it('chooses either of two faults found at once', () => {
    for (const [syndrome, event] of [
      [0x61, 'IBV_EVENT_QP_REQ_ERR'],
      [0x62, 'IBV_EVENT_QP_ACCESS_ERR'],
    ] as const) {
      const trace = new TraceBuilder()
        .request('RDMA_WRITE_ONLY', 100, { reth: { ...reth(5), rkey: 1 }, payload: payload(4) })
        .ack(100, 0, syndrome)
        .event(event)
        .settle();
      expect(violated(trace)).toEqual([]);
    }
  });
});

describe('choices that the rules leave', () => {
  const unasked = (psn: number) => (trace: TraceBuilder) =>
    trace.request('RDMA_WRITE_ONLY', psn, { reth: reth(4), payload: payload(4), ackReq: false });

  it('are counted by what the device did, and by what it left', () => {
    const trace = unasked(101)(unasked(100)(new TraceBuilder()).ack(100, 1)).settle();
    expect(Object.fromEntries(judged(trace).observed.get('rc-write-complete-unasked') ?? [])).toEqual({
      Acknowledge: 1,
      'no response': 1,
    });
  });

  it('are counted along the way that explains the trace, not the one thought likelier at first', () => {
    const trace = new TraceBuilder(100, { access: ['IBV_ACCESS_LOCAL_WRITE'] })
      .request('RDMA_WRITE_ONLY', 100, { reth: reth(4), payload: payload(4) })
      .ack(100, 0, 0x62)
      .event('IBV_EVENT_QP_ACCESS_ERR')
      .settle();
    expect(judged(trace).violations.filter(({ rule }) => ofResponder(rule))).toEqual([]);
    expect(Object.fromEntries(judged(trace).observed.get('rc-request-disabled') ?? [])).toEqual({
      'NAK Remote access error': 1,
    });
  });
});

describe('what it may not do', () => {
  it('stay silent when asked', () => {
    const trace = new TraceBuilder().request('RDMA_WRITE_ONLY', 100, { reth: reth(4), payload: payload(4) });
    expect(violated(trace.settle())).toEqual(['rc-write-complete-asked']);
  });

  it('send a second NAK before the expected PSN has come', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_ONLY', 102, { reth: reth(4), payload: payload(4) })
      .ack(100, 0, 0x60)
      .request('RDMA_WRITE_ONLY', 103, { reth: reth(4), payload: payload(4) })
      .ack(100, 0, 0x60);
    expect(violated(trace)).toEqual(['rc-request-ahead-after-sequence-nak']);
  });

  it('count packets in the MSN', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_FIRST', 100, { reth: reth(300), payload: payload(256) })
      .ack(100, 0)
      .request('RDMA_WRITE_LAST', 101, { payload: payload(44) })
      .ack(101, 2)
      .settle();
    expect(violated(trace)).toEqual(['rc-msn-counts-messages']);
  });

  it('write a duplicate again', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_ONLY', 100, { reth: reth(4), payload: payload(4, 1) })
      .ack(100, 1)
      .request('RDMA_WRITE_ONLY', 101, { reth: reth(4), payload: payload(4, 50) })
      .ack(101, 2)
      .request('RDMA_WRITE_ONLY', 100, { reth: reth(4), payload: payload(4, 1) })
      .ack(101, 2)
      .settle()
      .memory(0, payload(4, 1));
    expect(violated(trace)).toEqual(['rc-memory-repeated']);
  });

  it('answer a READ with other data than the memory holds', () => {
    const trace = new TraceBuilder()
      .request('RDMA_READ_REQUEST', 100, { reth: reth(4) })
      .response('RDMA_READ_RESPONSE_ONLY', 100, { aeth: { syndrome: 0x1f, msn: 1 }, payload: payload(4, 9) })
      .settle();
    expect(violated(trace)).toEqual(['rc-read-data']);
  });

  it('answer a READ of several packets by the wrong opcodes', () => {
    const zeros = new Uint8Array(256);
    const trace = new TraceBuilder()
      .request('RDMA_READ_REQUEST', 100, { reth: reth(512) })
      .response('RDMA_READ_RESPONSE_ONLY', 100, { aeth: { syndrome: 0x1f, msn: 1 }, payload: zeros });
    expect(violated(trace)).toEqual(['rc-read-executed']);
  });

  it('answer what header validation must drop', () => {
    const bad = new TraceBuilder().request('RDMA_WRITE_ONLY', 100, {
      reth: reth(4),
      payload: payload(4),
      icrcXor: 1,
    });
    expect(violated(bad.ack(100, 1))).toEqual(['rc-drop-bad-icrc']);
    const pkey = new TraceBuilder().request('RDMA_WRITE_ONLY', 100, {
      reth: reth(4),
      payload: payload(4),
      pkey: 0x1234,
    });
    expect(violated(pkey.ack(100, 1))).toEqual(['rc-drop-pkey']);
  });

  it('stay in RTS after a fatal NAK, or report the fault in two ways', () => {
    const trace = new TraceBuilder()
      .request('RDMA_WRITE_ONLY', 100, { reth: { ...reth(4), rkey: 1 }, payload: payload(4) })
      .ack(100, 0, 0x62)
      .event('IBV_EVENT_QP_ACCESS_ERR')
      .settle();
    trace.events.push({
      kind: 'call',
      t: 9999,
      start: 9999,
      call: 'query_qp',
      qp: 1,
      attr: { qp_state: 'IBV_QPS_RTS' },
    });
    expect(violated(trace)).toEqual(['rc-state-after-fault']);
    expect(violated(trace.event('IBV_EVENT_QP_ACCESS_ERR'))).toContain('rc-event-undue');
  });

  it('complete a receive twice', () => {
    const trace = new TraceBuilder()
      .post()
      .request('SEND_ONLY', 100, { payload: payload(8) })
      .ack(100, 1)
      .completion(1, 'IBV_WC_SUCCESS', 8)
      .completion(1, 'IBV_WC_SUCCESS', 8);
    expect(violated(trace)).toEqual(['rc-receive-undue']);
  });
});
