import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../report/causes/causes.ts';
import { grouped, runOf } from './run-of.ts';

describe('causes', () => {
  it('are shown without what software had done with the QP, where that is not needed', () => {
    const [cause] = causesOf(
      runOf([
        { rule: 'a', signature: 'NAK, after RESET', observed: 'x' },
        { rule: 'a', signature: 'NAK', observed: 'x' },
      ]),
    );
    expect(cause?.findings.map(({ signature }) => signature)).toEqual(['NAK', 'NAK, after RESET']);
  });

  it('do not take a completion on a CQ that lost one for a message that should not be received', () => {
    const undue = {
      observed: 'IBV_WC_SUCCESS of work request 1',
      impact: 'wrong-data',
      machine: 'unreliable',
    };
    expect(
      grouped([
        { rule: 'a', expected: 'no receive completion', ...undue },
        { rule: 'b', expected: 'no completion after IBV_EVENT_CQ_ERR', ...undue, machine: 'cq' },
      ]),
    ).toEqual(['a', 'b']);
  });

  it('hold a fault that only IBV_EVENT_QP_LAST_WQE_REACHED follows with one that nothing reports', () => {
    const last = 'IBV_EVENT_QP_LAST_WQE_REACHED';
    expect(
      grouped([
        { rule: 'a', expected: 'IBV_EVENT_QP_ACCESS_ERR', observed: 'no event' },
        { rule: 'b', expected: 'IBV_EVENT_QP_REQ_ERR or IBV_EVENT_QP_ACCESS_ERR', observed: last },
        { rule: 'c', expected: `no ${last}`, observed: last },
      ]),
    ).toEqual(['a b', 'c']);
  });
});
