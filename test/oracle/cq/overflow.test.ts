import { describe, expect, it } from 'vitest';
import { VerbsTrace, type Setup } from '../verbs/trace.ts';

const traced = (setup: Setup = {}): VerbsTrace => new VerbsTrace(setup);

describe('a CQ with too few entries', () => {
  const spilled = (): VerbsTrace => traced({ cqe: 1 }).enter('SQD').posts(1).posts(2).enter('ERR');
  const lost = (trace: VerbsTrace): VerbsTrace => trace.event('IBV_EVENT_CQ_ERR', { cq: 1 });

  it('tells of it, and its QP fails', () => {
    expect(lost(spilled()).event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual([]);
    expect(spilled().flush(1).settle().broken()).toEqual(['cq-overflow-reported']);
    expect(lost(spilled()).settle().broken()).toEqual(['cq-error-spreads']);
    const together = spilled();
    for (const wr_id of [1, 2])
      together.add({
        kind: 'completion',
        t: 100,
        cq: 1,
        wc: { wr_id, status: 'IBV_WC_WR_FLUSH_ERR', qp_num: 0x11 },
      });
    expect(together.settle().broken()).toEqual(['cq-overflow-reported']);
  });

  it('is reported once, and so is the failure of its QP', () => {
    const dead = (): VerbsTrace => lost(spilled()).event('IBV_EVENT_QP_FATAL');
    expect(lost(dead()).settle().broken()).toEqual(['cq-error-again']);
    expect(dead().event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual(['qp-fatal-again']);
    // the first may tell of a fault of the QP itself
    const own = (): VerbsTrace => lost(spilled().event('IBV_EVENT_QP_FATAL')).event('IBV_EVENT_QP_FATAL');
    expect(own().settle().broken()).toEqual([]);
    expect(own().event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual(['qp-fatal-again']);
  });

  it('fails no QP that is on other CQs', () => {
    const other = (): VerbsTrace => traced().call({ call: 'create_cq', cq: 2, cqe: 1 });
    const failed = (): VerbsTrace => other().event('IBV_EVENT_CQ_ERR', { cq: 2 });
    expect(failed().settle().broken()).toEqual([]);
    expect(failed().event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual(['qp-fatal-of-others']);
    // later it may fail by itself
    expect(failed().settle().event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual([]);
  });

  it('does not hold at one moment what was posted once the others had been taken', () => {
    const flushed = (trace: VerbsTrace, wr_id: number): VerbsTrace =>
      trace.add({
        kind: 'completion',
        t: trace.t,
        cq: 1,
        wc: { wr_id, status: 'IBV_WC_WR_FLUSH_ERR', qp_num: 0x11 },
      });
    const one = (): VerbsTrace => flushed(traced({ cqe: 1 }).enter('ERR').receives(1), 1);
    const { t } = one();
    const wr = { wr_id: 2, sg_list: [] };
    const later = one().add({ kind: 'call', t, start: t, call: 'post_recv', qp: 1, wr });
    expect(flushed(later, 2).settle().broken()).toEqual([]);
  });

  it('takes nothing more, and may keep what it has', () => {
    const dead = (): VerbsTrace => lost(spilled()).event('IBV_EVENT_QP_FATAL');
    expect(dead().flush(1).settle().broken()).toEqual([]);
    expect(dead().receives(9).flush(9).broken()).toEqual(['cq-error-takes-no-more']);
    expect(dead().settle().state('IBV_QPS_RTS').broken()).toEqual(['state-after-fatal-event']);
  });
});
