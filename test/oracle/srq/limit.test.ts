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

  describe('above what is on it', () => {
    const setLow = (limit: number): VerbsTrace =>
      traced({ srq: true, service: 'UC' })
        .shares(1)
        .shares(2)
        .call({ call: 'modify_srq', srq: 5, attr: { srq_limit: limit } })
        .settle();
    const message = (trace: VerbsTrace, wrId: number): VerbsTrace =>
      trace.to('SEND_ONLY', wrId - 1, { payload: Buffer.alloc(8) }).received(wrId, 8);

    it('raises its event when the SRQ has been filled and falls below it, if not before', () => {
      const fallen = (): VerbsTrace => message(message(setLow(4).shares(3).shares(4).shares(5), 1), 2);
      expect(fallen().settle().broken()).toEqual(['srq-limit-reached-again']);
      expect(reached(fallen()).settle().broken()).toEqual([]);
      expect(
        message(reached(setLow(4)).shares(3).shares(4), 1)
          .settle()
          .broken(),
      ).toEqual([]);
      // it may count from the start, or from when it is passed
      expect(message(setLow(4).shares(3), 1).settle().broken()).toEqual([]);
    });

    it('is not taken to be so where each message that has come is over', () => {
      const before = (operation: 'SEND_ONLY' | 'SEND_FIRST'): VerbsTrace => {
        const trace = message(traced({ srq: true, service: 'UC' }).shares(1).shares(2).shares(3), 1);
        if (operation === 'SEND_FIRST') trace.to(operation, 1, { payload: Buffer.alloc(256) });
        return trace.settle().call({ call: 'modify_srq', srq: 5, attr: { srq_limit: 2 } });
      };
      expect(message(before('SEND_ONLY'), 2).settle().broken()).toEqual(['srq-limit-reached']);
      expect(
        reached(message(before('SEND_ONLY'), 2))
          .settle()
          .broken(),
      ).toEqual([]);
      const within = before('SEND_FIRST').to('SEND_LAST', 2, { payload: Buffer.alloc(8) });
      expect(within.done(2, 'IBV_WC_LOC_LEN_ERR').settle().broken()).toEqual([]);
    });
  });

  it('may raise an event that is seen when software has posted more, or set another limit', () => {
    const passed = (): VerbsTrace =>
      traced({ srq: true, service: 'UC' })
        .shares(1)
        .shares(2)
        .call({ call: 'modify_srq', srq: 5, attr: { srq_limit: 2 } })
        .to('SEND_ONLY', 0, { payload: Buffer.alloc(8) });
    const refilled = (): VerbsTrace => passed().shares(3).shares(4).shares(5);
    expect(reached(refilled()).received(1, 8).settle().broken()).toEqual([]);
    expect(reached(asked(refilled(), 0)).received(1, 8).settle().broken()).toEqual([]);
    expect(reached(refilled().received(1, 8).settle()).broken()).toEqual(['srq-limit-too-early']);
    const set = (limit: number): VerbsTrace =>
      passed()
        .received(1, 8)
        .call({ call: 'modify_srq', srq: 5, attr: { srq_limit: limit } });
    for (const limit of [0, 1]) expect(reached(set(limit)).settle().broken()).toEqual([]);
    expect(reached(set(0).settle()).broken()).toEqual(['srq-limit-disarmed']);
  });

  it('is not reached while as many are left as it says, also behind messages that are over', () => {
    const behind = (limit: number, operation = 'SEND_ONLY'): string[] => {
      const trace = traced({ srq: true, service: 'UC' }).shares(1).shares(2).shares(3).shares(4);
      trace.call({ call: 'modify_srq', srq: 5, attr: { srq_limit: limit } });
      trace
        .to('SEND_ONLY', 0, { payload: Buffer.alloc(8) })
        .received(1, 8)
        .settle();
      trace.to(operation, 1, { payload: Buffer.alloc(operation === 'SEND_ONLY' ? 8 : 256) });
      return reached(operation === 'SEND_ONLY' ? trace.received(2, 8) : trace)
        .settle()
        .broken();
    };
    expect(behind(2)).toEqual(['srq-limit-too-early']);
    expect(behind(3)).toEqual([]);
    expect(behind(3, 'SEND_FIRST')).toEqual([]);
    expect(behind(2, 'SEND_FIRST')).toEqual(['srq-limit-too-early']);
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
