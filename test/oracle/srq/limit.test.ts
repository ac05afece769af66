import { describe, expect, it } from 'vitest';
import { VerbsTrace, type Setup } from '../verbs/trace.ts';

const traced = (setup: Setup = {}): VerbsTrace => new VerbsTrace(setup);

describe('the limit of an SRQ', () => {
  const armed = (limit = 2): VerbsTrace =>
    traced({ srq: true })
      .shares(1)
      .shares(2)
      .shares(3)
      .call({ call: 'modify_srq', srq: 5, attr: { srq_limit: limit } });
  const reached = (trace: VerbsTrace): VerbsTrace => trace.event('IBV_EVENT_SRQ_LIMIT_REACHED', { srq: 5 });
  const taken = (trace: VerbsTrace, wrId: number): VerbsTrace =>
    trace.done(wrId, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV' });
  const asked = (trace: VerbsTrace, srq_limit: number): VerbsTrace =>
    trace.call({ call: 'query_srq', srq: 5, attr: { max_wr: 8, max_sge: 2, srq_limit } });

  it('is told of when it is passed, once, and again when it is set again', () => {
    expect(
      reached(taken(taken(armed(), 1), 2))
        .settle()
        .broken(),
    ).toEqual([]);
    expect(taken(taken(armed(), 1), 2).settle().broken()).toEqual(['srq-limit-reached']);
    expect(taken(armed(), 1).settle().broken()).toEqual([]);
    expect(reached(armed()).settle().broken()).toEqual(['srq-limit-too-early']);
    expect(
      reached(reached(taken(taken(armed(), 1), 2)))
        .settle()
        .broken(),
    ).toEqual(['srq-limit-disarmed']);
  });

  it('reads as it was set, and 0 once it was told', () => {
    expect(asked(armed(), 2).broken()).toEqual([]);
    expect(asked(armed(), 0).broken()).toEqual(['srq-query-armed']);
    expect(asked(reached(taken(taken(armed(), 1), 2)).settle(), 2).broken()).toEqual(['srq-query-raised']);
    expect(asked(traced({ srq: true }), 3).broken()).toEqual(['srq-query-unset']);
  });

  it('can be set on every device, the size on some', () => {
    const set = (attr: object, errno?: number, capabilities: string[] = []): string[] =>
      traced({ srq: true, capabilities }).call({ call: 'modify_srq', srq: 5, attr }, errno).broken();
    expect(set({ srq_limit: 1 }, 22)).toEqual(['srq-limit-settable']);
    expect(set({ max_wr: 16 })).toEqual(['srq-size-fixed']);
    expect(set({ max_wr: 16 }, 22)).toEqual([]);
    expect(set({ max_wr: 16 }, undefined, ['srq-resize'])).toEqual([]);
  });
});
