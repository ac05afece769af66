import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import { Holds, Stalls } from '../../../oracle/device/stalls.ts';
import { RequesterTrace, T } from '../rc-requester/requester-trace.ts';

const rules = loadRules();
const violated = ({ header, events }: RequesterTrace): string[] =>
  judgeTrace(header, events, rules)
    .violations.map((v) => v.rule)
    .filter((rule) => !rule.startsWith('qp-'));

const S = 'IBV_WR_SEND';
const rnrNak = 0x21;
const accessNak = 0x62;
const one = (attr = {}): RequesterTrace => new RequesterTrace(attr).post(S).send(0);

describe('times of stalls', () => {
  const stalls = new Stalls();
  stalls.add(100, 200);
  stalls.add(150, 180);
  stalls.add(200, 250);
  stalls.add(400, 500);

  it.each([
    [0, 1000, 250],
    [0, 100, 0],
    [120, 130, 10],
    [240, 450, 60],
    [250, 400, 0],
    [600, 900, 0],
  ])('from %i to %i, %i were lost', (from, to, lost) => {
    expect(stalls.between(from, to)).toBe(lost);
  });

  it.each([
    [50, 50],
    [100, 100],
    [240, 100],
    [250, 100],
    [300, 300],
    [450, 400],
    [501, 501],
  ])('what was seen after %i began no earlier than %i', (t, earliest) => {
    expect(stalls.earliest(t)).toBe(earliest);
  });
});

// a retransmission or its absence: 4 T and the 20 us of any answer are over by some 80 us
const late = 4 * T + 100_000;

describe('upper bounds', () => {
  const bounds: [string, (stall: number) => RequesterTrace, rule: string][] = [
    ['a retransmission', (ns) => one().stall(ns).wait(late).send(0).settle(), 'rc-timeout-overdue'],
    ['no retransmission', (ns) => one().stall(ns).wait(late).settle(), 'rc-timeout-overdue'],
    [
      'no retransmission after the RNR wait',
      (ns) => one().ack(0, rnrNak).stall(ns).wait(200_000).settle(),
      'rc-rnr-wait-endless',
    ],
  ];

  it.each(bounds)('%s is late', (_, trace, rule) => {
    expect(violated(trace(0))).toEqual([rule]);
  });

  it.each(bounds)('%s is late by no more than the stall', (_, trace) => {
    expect(violated(trace(150_000))).toEqual([]);
  });

  it.each(bounds)('%s is late by more than the stall', (_, trace, rule) => {
    expect(violated(trace(10_000))).toEqual([rule]);
  });

  it('a stall before the time began to count excuses nothing', () => {
    const trace = new RequesterTrace().post(S).stall(150_000).wait(200_000).send(0).wait(late).settle();
    expect(violated(trace)).toEqual(['rc-timeout-overdue']);
  });

  it('a requester that may have given up in a stall is not held to have done so', () => {
    const trace = one({ retry_cnt: 0 }).stall(150_000).wait(late).ack(0).done(1).settle();
    expect(violated(trace)).toEqual([]);
    const sure = one({ retry_cnt: 0 }).wait(late).ack(0).done(1).settle();
    expect(violated(sure)).not.toEqual([]);
  });

  it('a response that came in a stall may not have been looked at yet', () => {
    const heard = (ns: number): RequesterTrace =>
      new RequesterTrace().post(S, S).send(0).stall(ns).ack(0, accessNak).wait(60_000).send(1);
    expect(violated(heard(100_000))).toEqual([]);
    expect(violated(heard(0))).toEqual(['rc-request-unposted']);
  });
});

describe('lower bounds', () => {
  const soon = (ns: number): RequesterTrace =>
    new RequesterTrace()
      .jitter(1000)
      .post(S)
      .stall(ns)
      .wait(50_000)
      .send(0)
      .wait(T - 30_000)
      .send(0)
      .settle();

  it('a packet seen in a stall may have left before, so that the next is not early', () => {
    expect(violated(soon(50_000))).toEqual([]);
    // seen just after
    expect(violated(soon(49_500))).toEqual([]);
  });

  it('without the stall it is early', () => {
    expect(violated(soon(0))).toEqual(['rc-timeout-early']);
    expect(violated(soon(20_000))).toEqual(['rc-timeout-early']);
  });
});

describe('a QP that its rate keeps from sending', () => {
  it('may be late by as much, and is seen when it sends', () => {
    const stalls = new Stalls();
    const holds = new Holds(stalls);
    stalls.add(100, 200);
    holds.hold(300, 400);
    expect(holds.between(0, 1000)).toBe(200);
    expect(stalls.between(0, 1000)).toBe(100);
    expect([holds.earliest(150), holds.earliest(350)]).toEqual([100, 350]);
    expect([holds.holdsAt(399), holds.holdsAt(400)]).toEqual([true, false]);
    // where both are, time passed once
    holds.hold(400, 500);
    stalls.add(400, 500);
    expect(holds.between(400, 500)).toBe(100);
  });
});
