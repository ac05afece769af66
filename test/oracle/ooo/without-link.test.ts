import { describe, expect, it } from 'vitest';
import { qp, zeros, type OooTrace } from './trace.ts';

describe('an out-of-order QP without a link', () => {
  const posted = (): OooTrace => qp().settle().link(false).send();

  it('completes nothing with success that nobody can have answered', () => {
    expect(posted().settle().broken()).toEqual([]);
    expect(posted().sent(1).settle().broken()).toEqual(['ooo-not-retired']);
    expect(posted().acked(0, 1).sent(1).settle().broken()).toEqual(['ooo-not-retired']);
  });

  it('is not followed once the link is back', () => {
    const why = 'out-of-order QPs that had something to send without a link';
    expect(posted().link(true).sent(1).settle().broken()).toEqual([why]);
    const failed = posted().wait(100_000).done(1, 'IBV_WC_RETRY_EXC_ERR');
    expect(failed.settle().broken()).toEqual(['out-of-order QPs that failed without a link']);
  });

  it('is followed where it had nothing to send', () => {
    const lost = (): OooTrace => qp().recv().settle().link(false).to('SEND_ONLY', 0, { recv: 0 }, zeros(16));
    expect(lost().settle().broken()).toEqual([]);
    expect(lost().received(1, 16).settle().broken()).toEqual(['ooo-completion-undue']);
    const again = (): OooTrace => lost().link(true).to('SEND_ONLY', 0, { recv: 0 }, zeros(16));
    expect(again().ack(0, 1, 0).received(1, 16).settle().broken()).toEqual([]);
    expect(again().settle().broken()).not.toEqual([]);
  });

  it('is given up where requests had just come', () => {
    const trace = qp().recv().to('SEND_ONLY', 0, { recv: 0 }, zeros(16)).link(false).settle();
    expect(trace.broken()).toEqual(['qp 0x000011: the link was down']);
  });
});
