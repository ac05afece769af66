import { describe, expect, it } from 'vitest';
import { VerbsTrace } from '../verbs/trace.ts';

describe('an SRQ in error', () => {
  const posted = (): VerbsTrace => new VerbsTrace({ srq: true }).shares(1).shares(2);
  const failed = (trace = posted()): VerbsTrace => trace.event('IBV_EVENT_SRQ_ERR', { srq: 5 });
  const spread = (trace = failed()): VerbsTrace => trace.event('IBV_EVENT_QP_FATAL', { qp_num: 17 });
  const received = (trace: VerbsTrace, wrId: number): VerbsTrace =>
    trace.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV' });

  it('takes its QPs with it', () => {
    expect(spread().settle().broken()).toEqual([]);
    expect(failed().settle().broken()).toEqual(['srq-error-spreads']);
  });

  it('gives nothing that is posted behind the event to a message', () => {
    expect(received(spread(), 2).settle().broken()).toEqual([]);
    const late = spread(failed().shares(3));
    expect(received(received(late, 1), 2).settle().broken()).toEqual([]);
    expect(received(spread(failed().shares(3)), 3).broken()).toEqual(['srq-error-takes-no-more']);
    expect(received(spread(failed().shares(3).shares(4)), 4).broken()).toEqual(['srq-error-takes-no-more']);
  });

  it('may refuse what is posted, and a limit', () => {
    expect(spread(failed().shares(3, 22)).settle().broken()).toEqual([]);
    expect(new VerbsTrace({ srq: true }).shares(1, 22).broken()).toEqual(['post-shared-receive-accepted']);
    const limited = (errno?: number) =>
      failed().call({ call: 'modify_srq', srq: 5, attr: { srq_limit: 1 } }, errno);
    expect(spread(limited(22)).settle().broken()).toEqual([]);
    expect(spread(limited()).settle().broken()).toEqual([]);
  });
});
