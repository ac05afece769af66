import { describe, expect, it } from 'vitest';
import { judgeTrace } from '../../../oracle/index.ts';
import type { TraceEvent, TraceHeader } from '../../../oracle/index.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import type { PacketFields } from '../../../wire/index.ts';
import { counting, dut, packetOf, peer, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import { rules } from '../trace/trace.ts';

const write = (trace: RcTrace, at: number) =>
  trace.to('RDMA_WRITE_ONLY', at, reth(4), { payload: counting(4) });
const send = (trace: RcTrace, at: number) => trace.to('SEND_ONLY', at, { payload: counting(8) });

describe('calls that race with packets', () => {
  it('explain either order, but not both at once', () => {
    const twice = () =>
      new RcTrace()
        .to('SEND_ONLY', 0, { payload: counting(8) })
        .recv()
        .to('SEND_ONLY', 0, { payload: counting(8) });
    // refused, then accepted when it comes again
    const late = twice().ack(0, 0, 0x2c).ack(0, 1).received(1, 8).settle();
    expect(late.broken()).toEqual([]);
    // accepted at once; the second is a duplicate
    const early = twice().ack(0, 1).ack(0, 1).received(1, 8).settle();
    expect(early.broken()).toEqual([]);
    const both = twice().ack(0, 1).ack(0, 0, 0x2c).received(1, 8).settle();
    expect(both.broken()).not.toEqual([]);
  });

  it('do not end judging where they take the QP to another state', () => {
    const judgement = write(new RcTrace(), 0).enter('ERR').settle().judge();
    expect(judgement.violations).toEqual([]);
    expect(judgement.inconclusive).toEqual([]);
    // what the call left behind is no access error
    const wrong = write(new RcTrace(), 0).enter('ERR').ack(0, 0, 0x62).settle();
    expect(wrong.broken()).not.toEqual([]);
  });
});

describe('a shared receive queue', () => {
  const onSrq = (): RcTrace => new RcTrace({}, { srq: true }).recv();

  it('gives its WQEs to the QP in order', () => {
    const trace = send(onSrq().recv(), 0).ack(0, 1);
    expect(trace.received(1, 8).settle().broken()).toEqual([]);
    const wrong = send(onSrq().recv(), 0).ack(0, 1);
    expect(wrong.received(2, 8).settle().broken()).not.toEqual([]);
  });

  it('draws an RNR NAK once it is empty', () => {
    const trace = send(onSrq(), 0).ack(0, 1).received(1, 8).settle();
    expect(send(trace, 1).ack(1, 1, 0x2c).settle().broken()).toEqual([]);
  });

  it('offers no credits', () => {
    const trace = send(onSrq(), 0).ack(0, 1, 0x00);
    expect(trace.broken()).toEqual(['rc-ack-credits']);
  });

  it('keeps its WQEs when the QP goes to ERR', () => {
    const trace = onSrq().enter('ERR');
    expect(trace.settle().broken()).toEqual([]);
    expect(trace.done(1, 'IBV_WC_WR_FLUSH_ERR').broken()).toEqual(['rc-receive-undue']);
  });
});

describe('a QP that is reset and used again', () => {
  const again = (): RcTrace => write(new RcTrace().recv(), 0).ack(0, 1).settle().restart(5);

  it('counts messages from 0 and expects the new PSN', () => {
    expect(write(again(), 0).ack(0, 1).settle().broken()).toEqual([]);
    expect(write(again(), 0).ack(0, 2).settle().broken()).toEqual(['rc-msn-counts-messages']);
    expect(write(again(), 96).ack(0, 0, 0x60).settle().broken()).toEqual([]);
  });

  it('has lost its receive WQEs without a completion', () => {
    expect(send(again(), 0).ack(0, 0, 0x2c).settle().broken()).toEqual([]);
    expect(send(again(), 0).ack(0, 1).settle().broken()).toEqual(['rc-receiver-not-ready']);
    expect(again().done(1, 'IBV_WC_WR_FLUSH_ERR').settle().broken()).toEqual(['flush-uncaused']);
  });
});

describe('sight that ends', () => {
  it('a gap in the trace makes what follows unknown, and never a failure', () => {
    const trace = write(new RcTrace(), 0);
    trace.add({ kind: 'gap', t: trace.t, reason: 'the host stalled' });
    const judgement = trace.ack(899, 7).received(1, 0).settle().judge();
    expect(judgement.violations).toEqual([]);
    expect(judgement.inconclusive).toEqual(['qp 0x000011: the host stalled']);
  });

  it('more unanswered packets than are kept make a wrong answer doubtful', () => {
    const flood = (): RcTrace => {
      const trace = new RcTrace();
      for (let i = 0; i < 3000; i++) write(trace, i);
      return trace;
    };
    const sound = flood().ack(2999, 3000).settle().judge();
    expect(sound.violations).toEqual([]);
    const wrong = flood().ack(-50, 3000).settle().judge();
    expect(wrong.violations).toEqual([]);
    expect(wrong.inconclusive).not.toEqual([]);
  });
});

describe('two QPs', () => {
  const two = (): RcTrace => new RcTrace().qp({ qp: 2, number: 0x12, peer: 0x23 });

  it('are judged apart, each by the responses that go to its own peer', () => {
    const trace = write(two(), 0);
    trace.to('RDMA_WRITE_ONLY', 0, { destQp: 0x12, ...reth(4, 64), payload: counting(4) });
    trace.ack(0, 1, 0x1f, { destQp: 0x23 });
    expect(trace.ack(0, 1).settle().broken()).toEqual([]);
    const silent = two().to('RDMA_WRITE_ONLY', 0, { destQp: 0x12, ...reth(4), payload: counting(4) });
    const { violations } = silent.ack(0, 1).settle().judge();
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
  const ends = { srcIp: peer.ip, dstIp: dut.ip };
  const back = { srcIp: dut.ip, dstIp: peer.ip };
  const request = (destQp: number, psn: number): PacketFields => ({
    ...ends,
    opcode: opcodeByName('RC_RDMA_WRITE_ONLY'),
    destQp,
    psn,
    ackReq: true,
    ...reth(4),
    payload: counting(4),
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
    const found = capture([request(0x11, 100), request(0x12, 100), response(0x22, 100, 0x1f, 1)]);
    expect(found.violations).toEqual([]);
    expect(found.notJudged.get('responses that fit several connections')).toBe(1);
  });

  it('leaves a response alone whose request it does not hold', () => {
    const found = capture([response(0x22, 100, 0x62, 1), request(0x11, 0x400000)]);
    expect(found.violations).toEqual([]);
    expect(found.notJudged.get('responses to requests that the capture does not hold')).toBe(1);
  });
});
