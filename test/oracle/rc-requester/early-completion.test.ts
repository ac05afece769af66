import { describe, expect, it } from 'vitest';
import { RcTrace } from '../trace/rc.ts';

const S = 'IBV_WR_SEND';
const accessNak = 0x62;
const failed = 'IBV_WC_REM_ACCESS_ERR';

/** The wire is recorded as much as 1 us late. */
const late = (...opcodes: (typeof S)[]): RcTrace => new RcTrace().jitter(1000).posts(...opcodes);
const refused = (): RcTrace => late(S).acked(0, accessNak).done(1, failed);
const acknowledged = (): RcTrace => late(S).acked(0).sent(1);

describe('a completion that is seen before its request', () => {
  const traces: [string, () => RcTrace, rule: string][] = [
    ['a failure', refused, 'rc-retry-counted-timeout'],
    ['success', acknowledged, 'rc-send-unacknowledged'],
  ];

  it.each(traces)('%s is explained by a request that is recorded late', (_, trace) => {
    expect(trace().sends(0).settle().broken()).toEqual([]);
  });

  it.each(traces)('%s is not, where the request left later', (_, trace, rule) => {
    expect(trace().wait(2000).sends(0).settle().broken()).toEqual([rule]);
  });

  it.each(traces)('%s is not, where no request is seen', (_, trace, rule) => {
    expect(trace().settle().broken()).toEqual([rule]);
    expect(trace().broken()).toEqual([rule]);
  });

  it.each(traces)('%s is not, where packets are recorded when they leave', (_, trace, rule) => {
    expect(trace().jitter(0).sends(0).settle().broken()).toEqual([rule]);
  });

  it('may wait for several requests', () => {
    const both = (): RcTrace => late(S, S).acked(1, accessNak).sent(1).done(2, failed);
    expect(both().sends(0, 1).settle().broken()).toEqual([]);
    expect(both().sends(0).settle().broken()).toEqual(['rc-send-unacknowledged']);
  });

  it('leaves what comes behind it to be judged', () => {
    expect(acknowledged().sends(0).sent(1).settle().broken()).toEqual(['rc-send-completed-again']);
    expect(acknowledged().sends(0).sends(0).settle().broken()).not.toEqual([]);
  });
});
