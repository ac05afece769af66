import { describe, expect, it } from 'vitest';
import { VerbsTrace, type Setup } from './trace.ts';

const traced = (setup: Setup = {}): VerbsTrace => new VerbsTrace(setup);

describe('ibv_modify_qp of a UC or UD QP', () => {
  it('goes the ways of the service, with their attributes', () => {
    expect(traced({ state: 'INIT' }).enter('RTS', { sq_psn: 0 }).broken()).toEqual([
      'unreliable-modify-no-transition',
    ]);
    expect(traced({ state: 'RTR' }).enter('RTS').broken()).toEqual(['unreliable-modify-lacking']);
    expect(traced({ state: 'RTR' }).enter('RTS', { sq_psn: 0, timeout: 3 }).broken()).toEqual([
      'unreliable-modify-surplus',
    ]);
    expect(traced({ state: 'RTR' }).enter('RTS', { sq_psn: 0 }, 22).broken()).toEqual([
      'unreliable-modify-accepted',
    ]);
    expect(traced().posts(1).enter('SQD').enter('RTS', {}, 16).broken()).toEqual([]);
  });

  it('may go from RESET straight to ERR', () => {
    for (const service of ['UC', 'UD'] as const) {
      const reset = (): VerbsTrace => traced({ service }).enter('RESET').settle();
      expect(reset().enter('ERR').receives(1).flush(1).settle().state('IBV_QPS_ERR').broken()).toEqual([]);
      expect(reset().enter('ERR', {}, 22).state('IBV_QPS_RESET').broken()).toEqual([]);
    }
  });

  it('goes on from the state that a query tells, also of a QP that was out of sight', () => {
    const unseen = (): VerbsTrace => {
      const trace = traced().posts(1);
      return trace.add({ kind: 'gap', t: trace.t, reason: 'a stall' });
    };
    expect(unseen().settle().enter('RTS', {}, 22).broken()).toEqual(['unreliable-modify-accepted']);
    expect(unseen().settle().state('IBV_QPS_ERR').enter('RTS', {}, 22).broken()).toEqual([]);
    expect(unseen().flush(1).settle().enter('RTS', {}, 22).broken()).toEqual([]);
    expect(unseen().flush(1).settle().state('IBV_QPS_RTS').enter('RTS', {}, 22).broken()).toEqual([
      'unreliable-modify-accepted',
    ]);
  });
});
