import { describe, expect, it } from 'vitest';
import type { VerbsCall } from '../../../oracle/trace.ts';
import { srqHandle } from '../trace/setup.ts';
import { VerbsTrace } from '../verbs/trace.ts';

const EBUSY = 16;
const ended: Record<'qp' | 'cq' | 'srq' | 'pd', VerbsCall> = {
  qp: { call: 'destroy_qp', qp: 1 },
  cq: { call: 'destroy_cq', cq: 1 },
  srq: { call: 'destroy_srq', srq: srqHandle },
  pd: { call: 'dealloc_pd', pd: 1 },
};
const made = (): VerbsTrace => new VerbsTrace({ srq: true, capabilities: ['destroy-calls'] });

describe('the end of objects', () => {
  it('is refused for a CQ and an SRQ that a QP is on', () => {
    expect(made().call(ended.cq, EBUSY).call(ended.srq, EBUSY).broken()).toEqual([]);
    expect(made().call(ended.cq).broken()).toEqual(['destroy-cq-used']);
    expect(made().call(ended.srq).broken()).toEqual(['destroy-srq-used']);
  });

  it('may be refused for a PD that something is on', () => {
    expect(made().call(ended.pd, EBUSY).broken()).toEqual([]);
    expect(made().call(ended.pd).broken()).toEqual([]);
  });

  it('comes for a QP whatever its state, and then for what it was on', () => {
    expect(made().call(ended.qp).call(ended.cq).call(ended.srq).broken()).toEqual([]);
    expect(made().enter('ERR').call(ended.qp).broken()).toEqual([]);
    expect(made().enter('ERR').call(ended.qp, EBUSY).broken()).toEqual(['destroy-qp']);
    expect(made().call(ended.qp).call(ended.cq, EBUSY).broken()).toEqual(['destroy-cq']);
    expect(made().call(ended.qp).call(ended.srq, EBUSY).broken()).toEqual(['destroy-srq']);
  });

  it('comes for a PD that nothing is on', () => {
    const empty = (): VerbsTrace => {
      const trace = made().call(ended.qp).call(ended.srq);
      for (const mr of [1, 2]) trace.call({ call: 'dereg_mr', mr });
      return trace;
    };
    // an address handle of UD may still be on it
    expect(empty().call(ended.pd, EBUSY).broken()).toEqual([]);
    expect(
      new VerbsTrace({ service: 'RC', capabilities: ['destroy-calls'], regions: [] })
        .call(ended.qp)
        .call(ended.pd, EBUSY)
        .broken(),
    ).toEqual(['dealloc-pd']);
  });
});
