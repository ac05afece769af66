import { describe, expect, it } from 'vitest';
import { Holds, Stalls } from '../../../oracle/device/stalls.ts';
import { RcTrace, T } from '../trace/rc.ts';

const S = 'IBV_WR_SEND';
const rnrNak = 0x21;
const accessNak = 0x62;
const one = (attr = {}): RcTrace => new RcTrace(attr).posts(S).sends(0);

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
  const bounds: [string, (stall: number) => RcTrace, rule: string][] = [
    ['a retransmission', (ns) => one().stall(ns).wait(late).sends(0).settle(), 'rc-timeout-overdue'],
    ['no retransmission', (ns) => one().stall(ns).wait(late).settle(), 'rc-timeout-overdue'],
    [
      'no retransmission after the RNR wait',
      (ns) => one().acked(0, rnrNak).stall(ns).wait(200_000).settle(),
      'rc-rnr-wait-endless',
    ],
  ];

  it.each(bounds)('%s is late', (_, trace, rule) => {
    expect(trace(0).broken()).toEqual([rule]);
  });

  it.each(bounds)('%s is late by no more than the stall', (_, trace) => {
    expect(trace(150_000).broken()).toEqual([]);
  });

  it.each(bounds)('%s is late by more than the stall', (_, trace, rule) => {
    expect(trace(10_000).broken()).toEqual([rule]);
  });

  it('a stall before the time began to count excuses nothing', () => {
    const trace = new RcTrace().posts(S).stall(150_000).wait(200_000).sends(0).wait(late).settle();
    expect(trace.broken()).toEqual(['rc-timeout-overdue']);
  });

  it('a requester that may have given up in a stall is not held to have done so', () => {
    const trace = one({ retry_cnt: 0 }).stall(150_000).wait(late).acked(0).sent(1).settle();
    expect(trace.broken()).toEqual([]);
    const sure = one({ retry_cnt: 0 }).wait(late).acked(0).sent(1).settle();
    expect(sure.broken()).not.toEqual([]);
  });

  it('a response that came in a stall may not have been looked at yet', () => {
    const heard = (ns: number): RcTrace =>
      new RcTrace().posts(S, S).sends(0).stall(ns).acked(0, accessNak).wait(60_000).sends(1);
    expect(heard(100_000).broken()).toEqual([]);
    expect(heard(0).broken()).toEqual(['rc-request-unposted']);
  });
});

describe('lower bounds', () => {
  const soon = (ns: number): RcTrace =>
    new RcTrace()
      .jitter(1000)
      .posts(S)
      .stall(ns)
      .wait(50_000)
      .sends(0)
      .wait(T - 30_000)
      .sends(0)
      .settle();

  it('a packet seen in a stall may have left before, so that the next is not early', () => {
    expect(soon(50_000).broken()).toEqual([]);
    // seen just after
    expect(soon(49_500).broken()).toEqual([]);
  });

  it('without the stall it is early', () => {
    expect(soon(0).broken()).toEqual(['rc-timeout-early']);
    expect(soon(20_000).broken()).toEqual(['rc-timeout-early']);
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
