import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../../../oracle/index.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import type { PacketFields } from '../../../wire/index.ts';
import { packetOf, regionAddress, regionKey, TraceBuilder } from '../trace-builder.ts';

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
const write = (trace: TraceBuilder, psn: number) =>
  trace.request('RDMA_WRITE_ONLY', psn, { reth: reth(4), payload: payload(4) });

function call(trace: TraceBuilder, made: VerbsCall): TraceBuilder {
  const t = trace.events.at(-1)?.t ?? 0;
  trace.events.push({ kind: 'call', t, start: t, ...made });
  return trace;
}

describe('calls that race with packets', () => {
  it('explain either order, but not both at once', () => {
    const twice = () =>
      new TraceBuilder()
        .request('SEND_ONLY', 100, { payload: payload(8) })
        .post()
        .request('SEND_ONLY', 100, { payload: payload(8) });
    // refused, then accepted when it comes again
    const late = twice().ack(100, 0, 0x2c).ack(100, 1).completion(1, 'IBV_WC_SUCCESS', 8).settle();
    expect(violated(late)).toEqual([]);
    // accepted at once; the second is a duplicate
    const early = twice().ack(100, 1).ack(100, 1).completion(1, 'IBV_WC_SUCCESS', 8).settle();
    expect(violated(early)).toEqual([]);
    const both = twice().ack(100, 1).ack(100, 0, 0x2c).completion(1, 'IBV_WC_SUCCESS', 8).settle();
    expect(violated(both)).not.toEqual([]);
  });

  it('end judging where they change more than the receive queue', () => {
    const trace = write(new TraceBuilder(), 100);
    call(trace, { call: 'modify_qp', qp: 1, attr: { qp_state: 'IBV_QPS_ERR' } }).settle();
    const judgement = judged(trace);
    expect(judgement.violations).toEqual([]);
    expect(judgement.inconclusive).toEqual(['qp 0x000011: modify_qp while packets were under way']);
  });

  it('say nothing of a region deregistered while a WRITE to it was under way', () => {
    const trace = call(write(new TraceBuilder(), 100), { call: 'dereg_mr', mr: 1 });
    trace.ack(100, 0, 0x62).settle();
    expect(judged(trace).violations).toEqual([]);
    expect(judged(trace).inconclusive).toHaveLength(1);
  });
});

describe('a shared receive queue', () => {
  const onSrq = (): TraceBuilder => {
    const trace = new TraceBuilder();
    const at = trace.events.findIndex((e) => e.kind === 'call' && e.call === 'create_qp');
    const made = trace.events[at];
    if (made?.kind !== 'call' || made.call !== 'create_qp') throw new Error('the trace creates no QP');
    const srq: TraceEvent = { kind: 'call', t: 0, start: 0, call: 'create_srq', pd: 1, srq: 9, max_wr: 8 };
    trace.events.splice(at, 1, srq, { ...made, srq: 9 });
    return trace;
  };
  const post = (trace: TraceBuilder, wrId: number): TraceBuilder =>
    call(trace, {
      call: 'post_srq_recv',
      srq: 9,
      wr: { wr_id: wrId, sg_list: [{ addr: regionAddress + 4096n, length: 256, lkey: 0x66 }] },
    });
  const send = (trace: TraceBuilder, psn: number) => trace.request('SEND_ONLY', psn, { payload: payload(8) });

  it('gives its WQEs to the QP in order', () => {
    const trace = send(post(post(onSrq(), 7), 8), 100).ack(100, 1);
    expect(violated(trace.completion(7, 'IBV_WC_SUCCESS', 8).settle())).toEqual([]);
    const wrong = send(post(post(onSrq(), 7), 8), 100).ack(100, 1);
    expect(violated(wrong.completion(8, 'IBV_WC_SUCCESS', 8).settle())).not.toEqual([]);
  });

  it('draws an RNR NAK once it is empty', () => {
    const trace = send(post(onSrq(), 7), 100).ack(100, 1).completion(7, 'IBV_WC_SUCCESS', 8).settle();
    expect(violated(send(trace, 101).ack(101, 1, 0x2c).settle())).toEqual([]);
  });

  it('offers no credits', () => {
    const trace = send(post(onSrq(), 7), 100).ack(100, 1, 0x00);
    expect(violated(trace)).toEqual(['rc-ack-credits']);
  });

  it('keeps its WQEs when the QP goes to ERR', () => {
    const trace = call(post(onSrq(), 7), { call: 'modify_qp', qp: 1, attr: { qp_state: 'IBV_QPS_ERR' } });
    expect(violated(trace.settle())).toEqual([]);
    expect(violated(trace.completion(7, 'IBV_WC_WR_FLUSH_ERR'))).toEqual(['rc-receive-undue']);
  });
});

describe('a QP that is reset and used again', () => {
  const again = (psn: number): TraceBuilder => {
    const trace = write(new TraceBuilder().post(), 100).ack(100, 1).settle();
    const states = ['IBV_QPS_RESET', 'IBV_QPS_INIT'] as const;
    for (const qp_state of states) call(trace, { call: 'modify_qp', qp: 1, attr: { qp_state } });
    call(trace, { call: 'modify_qp', qp: 1, attr: { qp_state: 'IBV_QPS_RTR', path_mtu: 256, rq_psn: psn } });
    return call(trace, { call: 'modify_qp', qp: 1, attr: { qp_state: 'IBV_QPS_RTS' } });
  };

  it('counts messages from 0 and expects the new PSN', () => {
    expect(violated(write(again(5), 5).ack(5, 1).settle())).toEqual([]);
    expect(violated(write(again(5), 5).ack(5, 2).settle())).toEqual(['rc-msn-counts-messages']);
    expect(violated(write(again(5), 101).ack(5, 0, 0x60).settle())).toEqual([]);
  });

  it('has lost its receive WQEs without a completion', () => {
    const send = (trace: TraceBuilder) => trace.request('SEND_ONLY', 5, { payload: payload(8) });
    expect(violated(send(again(5)).ack(5, 0, 0x2c).settle())).toEqual([]);
    expect(violated(send(again(5)).ack(5, 1).settle())).toEqual(['rc-receiver-not-ready']);
    expect(violated(again(5).completion(1, 'IBV_WC_WR_FLUSH_ERR'))).toEqual(['rc-receive-undue']);
  });
});

describe('sight that ends', () => {
  it('a gap in the trace makes what follows unknown, and never a failure', () => {
    const trace = write(new TraceBuilder(), 100);
    trace.events.push({ kind: 'gap', t: 20, reason: 'the host stalled' });
    const judgement = judged(trace.ack(999, 7).completion(1).settle());
    expect(judgement.violations).toEqual([]);
    expect(judgement.inconclusive).toEqual(['qp 0x000011: the host stalled']);
  });

  it('more unanswered packets than are kept make a wrong answer doubtful', () => {
    const flood = (): TraceBuilder => {
      const trace = new TraceBuilder();
      for (let i = 0; i < 3000; i++) write(trace, 100 + i);
      return trace;
    };
    const sound = judged(flood().ack(3099, 3000).settle());
    expect(sound.violations).toEqual([]);
    const wrong = judged(flood().ack(50, 3000).settle());
    expect(wrong.violations).toEqual([]);
    expect(wrong.inconclusive).not.toEqual([]);
  });
});

describe('two QPs', () => {
  const second = (trace: TraceBuilder): TraceBuilder => {
    const first = trace.events.filter(
      (e) => e.kind === 'call' && (e.call === 'create_qp' || e.call === 'modify_qp'),
    );
    for (const event of first) {
      if (event.kind !== 'call') continue;
      if (event.call === 'create_qp') trace.events.push({ ...event, qp: 2, qp_num: 0x12 });
      if (event.call === 'modify_qp') {
        const { attr } = event;
        const dest = attr.dest_qp_num === undefined ? {} : { dest_qp_num: 0x23 };
        trace.events.push({ ...event, qp: 2, attr: { ...attr, ...dest } });
      }
    }
    return trace;
  };

  it('are judged apart, each by the responses that go to its own peer', () => {
    const trace = second(new TraceBuilder());
    write(trace, 100);
    trace.request('RDMA_WRITE_ONLY', 100, { destQp: 0x12, reth: reth(4, 64n), payload: payload(4) });
    trace.response('ACKNOWLEDGE', 100, { destQp: 0x23, aeth: { syndrome: 0x1f, msn: 1 } });
    expect(violated(trace.ack(100, 1).settle())).toEqual([]);
    const silent = second(new TraceBuilder());
    silent.request('RDMA_WRITE_ONLY', 100, { destQp: 0x12, reth: reth(4), payload: payload(4) });
    const { violations } = judged(silent.ack(100, 1).settle());
    expect(violations.map((v) => [v.rule, v.qp])).toContainEqual(['rc-write-complete-asked', 'qp 0x000012']);
  });
});

describe('a capture', () => {
  const header: TraceHeader = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' };
  const capture = (packets: readonly PacketFields[]) =>
    judgeTrace(
      header,
      packets.map((fields, i): TraceEvent => ({
        kind: 'packet',
        t: i,
        direction: 'unknown',
        packet: packetOf(fields),
        number: i + 1,
      })),
      rules,
    );
  const ends = { srcIp: '10.0.0.2', dstIp: '10.0.0.1' };
  const back = { srcIp: '10.0.0.1', dstIp: '10.0.0.2' };
  const request = (destQp: number, psn: number): PacketFields => ({
    ...ends,
    opcode: opcodeByName('RC_RDMA_WRITE_ONLY'),
    destQp,
    psn,
    ackReq: true,
    reth: reth(4),
    payload: payload(4),
  });
  const response = (destQp: number, psn: number, syndrome: number, msn: number): PacketFields => ({
    ...back,
    opcode: opcodeByName('RC_ACKNOWLEDGE'),
    destQp,
    psn,
    aeth: { syndrome, msn },
  });

  it('pairs responses with requests by address and PSN', () => {
    const far = 0x400000;
    const found = capture([
      request(0x11, 100),
      request(0x12, far),
      response(0x23, far, 0x1f, 9),
      response(0x22, 100, 0x1f, 1),
      request(0x11, 101),
      response(0x22, 101, 0x1f, 3),
    ]);
    expect(found.notJudged).toEqual(new Map());
    expect(found.exercised.get('rc-msn-counts-messages')).toBe(3);
    expect(found.violations.map((v) => [v.qp, v.rule, v.event])).toEqual([
      ['qp 0x000011 at 10.0.0.1', 'rc-msn-counts-messages', 5],
    ]);
    expect(found.inconclusive).toEqual([]);
  });

  it('leaves a response alone that several connections could have sent', () => {
    const found = capture([request(0x11, 100), request(0x12, 101), response(0x22, 100, 0x1f, 1)]);
    expect(found.violations).toEqual([]);
    expect(found.notJudged.get('responses that fit several connections')).toBe(1);
  });

  it('leaves a response alone whose request it does not hold', () => {
    const found = capture([response(0x22, 100, 0x62, 1), request(0x11, 0x400000)]);
    expect(found.violations).toEqual([]);
    expect(found.notJudged.get('responses to requests that the capture does not hold')).toBe(1);
  });
});
