import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../report/causes/causes.ts';
import type { Failure, Influence, LadderLine } from '../../../report/results.ts';
import { grouped, impacts, runOf, type Part } from './run-of.ts';

/** Rules of each cause; `more`: what the findings have besides, by rule. */
function causes(parts: readonly Part[], more: Readonly<Record<string, Partial<Failure>>> = {}): string[] {
  const run = runOf(parts);
  const failures = run.failures.map((failure) => ({ ...failure, ...more[failure.rule] }));
  return causesOf({ ...run, failures, impacts }).map(({ findings, consequences }) =>
    [...findings, ...consequences].map(({ rule }) => rule).join(' '),
  );
}

const line = (kind: LadderLine['kind'], text: string): LadderLine => ({ t: 0, kind, text });

describe('what the smallest exchange of a finding shows besides', () => {
  // of 200 cases
  const pair = (times: number, exercised: number): Part[] => [
    { rule: 'a', expected: 'MSN 1', observed: 'MSN 2', machine: 'x', beside: ['b'] },
    { rule: 'b', expected: 'PSN 1', observed: 'PSN 2', machine: 'x', times, exercised },
  ];

  it('is of its cause where it is seldom seen', () => {
    expect(grouped(pair(4, 40))).toEqual(['b a']);
  });

  it('is a cause of its own where it is often seen, or wherever it can be', () => {
    expect(grouped(pair(20, 400))).toHaveLength(2);
    expect(grouped(pair(4, 8))).toHaveLength(2);
  });

  it('is a cause of its own where most findings of the rule do without it', () => {
    const [first, second] = pair(4, 40);
    const alone = (signature: string): Part => ({ ...first, signature, beside: [], rule: 'a' });
    const parts = [first, second].filter((part) => part !== undefined);
    expect(grouped([...parts, alone('t, after RESET')])).toHaveLength(2);
  });

  it('says nothing as long as the exchange holds what it does not need', () => {
    expect(causes(pair(4, 40), { a: { unshrunk: true } })).toHaveLength(2);
  });
});

describe('a flush that is missing', () => {
  const state = { rule: 's', expected: 'state ERR', observed: 'state RTS', machine: 'verbs', times: 20 };
  const flush = {
    rule: 'f',
    expected: 'IBV_WC_WR_FLUSH_ERR for wr_id 1001',
    observed: 'no completion',
    machine: 'verbs',
    times: 20,
  };

  it('is one of any machine, of one end', () => {
    const of = (id: number): Part => ({
      ...flush,
      rule: `g${id}`,
      machine: 'rc-requester',
      expected: `completion of work request wr_id ${id} with IBV_WC_WR_FLUSH_ERR`,
      observed: 'none',
    });
    expect(grouped([flush, of(1000)])).toHaveLength(1);
    expect(grouped([flush, of(1)])).toHaveLength(2);
  });

  it('follows from a QP that works on, as what it carries out does', () => {
    const done = { ...flush, rule: 'd', observed: 'IBV_WC_SUCCESS', times: 20 };
    const parts = [{ ...flush, beside: ['s'] }, { ...done, beside: ['s'] }, state];
    expect(grouped(parts)).toEqual(['s d f']);
  });

  it('does not where no exchange shows both', () => {
    expect(grouped([flush, state])).toHaveLength(2);
  });

  it('is what is left of a completion that another one overtakes', () => {
    const order = { rule: 'o', expected: 'wr_id 1001 first', observed: 'wr_id 1002 completes before it' };
    const overtakes = line('completion', 'completion wr_id 1002 IBV_WC_WR_FLUSH_ERR');
    const comes = line('completion', 'completion wr_id 1001 IBV_WC_WR_FLUSH_ERR');
    expect(causes([flush, order], { o: { ladder: [overtakes] } })).toHaveLength(1);
    expect(causes([flush, order], { o: { ladder: [overtakes, comes] } })).toHaveLength(2);
    const other = line('completion', 'completion wr_id 1002 IBV_WC_SUCCESS');
    expect(causes([flush, order], { o: { ladder: [other] } })).toHaveLength(2);
  });
});

describe('a duplicate after which another PSN is expected', () => {
  const nak = 'RC ACKNOWLEDGE psn 5 qp 0x700001 NAK PSN sequence error msn 0';
  const part = (expected: string, observed: string): Part => ({
    rule: `${expected} ${observed}`,
    expected,
    observed,
    machine: 'rc-responder',
  });
  const unanswered = part('Acknowledge of PSN 0', 'no response');
  const behind = [
    part('RDMA_READ_RESPONSE_ONLY with PSN 0', nak),
    part('NAK PSN sequence error with PSN 0', nak),
  ];
  const inject = (offset: number): unknown => ({ do: 'inject', packet: { psn: { from: 'next', offset } } });
  const again = { do: 'reinject', back: 0 };
  const count = (parts: readonly Part[], ...steps: unknown[]): number =>
    causes(parts, Object.fromEntries(parts.map(({ rule }) => [rule, { scenario: { steps } }]))).length;

  it('is one defect, whichever later request shows it', () => {
    expect(count([unanswered, ...behind], inject(-1), inject(0))).toBe(1);
    expect(count([unanswered, ...behind], inject(0), again, inject(0))).toBe(1);
  });

  it('is not what is wrong without a duplicate, or with the answer to it', () => {
    expect(count([unanswered, ...behind], inject(1), inject(0))).toBe(3);
    expect(count([unanswered, ...behind], inject(0), inject(-1))).toBe(3);
  });

  it('is not what else a duplicate leaves behind', () => {
    expect(count([unanswered, part('MSN 1', 'MSN 2')], inject(-1), inject(0))).toBe(2);
    expect(count([unanswered, part('no response', nak)], inject(-1), inject(0))).toBe(2);
  });
});

describe('a retry too many or too few', () => {
  const needs = (what: string, kept: string[]): Influence[] => [{ what, is: '0', broken: [], kept }];
  const request = 'RC_SEND_ONLY with PSN 0';
  const parts = (influences: Influence[]): Part[] => [
    { rule: 'a', expected: 'no further retry: the counter is used up', observed: request, influences },
    { rule: 'b', expected: 'no request', observed: request, influences },
  ];

  it('is one defect where the retry counter decides', () => {
    expect(grouped(parts(needs('retry_cnt of the requester', ['1'])))).toHaveLength(1);
    expect(grouped(parts(needs('retry_cnt of the requester', [])))).toHaveLength(2);
    expect(grouped(parts(needs('timeout of the requester', ['1'])))).toHaveLength(2);
  });

  it('is one whether its work request fails too early or should not fail', () => {
    const observed = 'IBV_WC_RETRY_EXC_ERR for wr_id 1000';
    const failing = (expected: string): Part => ({
      rule: expected,
      expected,
      observed,
      machine: 'rc-requester',
    });
    const early = failing('no failure yet for IBV_WR_SEND wr_id 1000');
    expect(grouped([early, failing('IBV_WC_SUCCESS for IBV_WR_SEND wr_id 1000')])).toHaveLength(1);
    expect(grouped([early, failing('IBV_WC_REM_OP_ERR for IBV_WR_SEND wr_id 1000')])).toHaveLength(2);
  });
});

describe('one behaviour under several rules', () => {
  it('is a check that two services have', () => {
    const check = (rule: string, table: string): Part => ({
      rule,
      table,
      expected: 'IBV_WC_SUCCESS of work request 1',
      observed: 'no completion',
      machine: 'unreliable',
    });
    const uc = check('uc-admit-sqe', 'uc-responder-admission');
    expect(grouped([uc, check('ud-admit-sqe', 'ud-responder-admission')])).toHaveLength(1);
    expect(grouped([uc, check('ud-admit-sqd', 'ud-responder-admission')])).toHaveLength(2);
  });

  it('is a receive that is refused, by a QP or by an SRQ', () => {
    expect(
      grouped([
        { rule: 'a', expected: 'ibv_post_recv in RTS succeeds', observed: 'it fails with errno 22' },
        { rule: 'b', expected: 'ibv_post_srq_recv succeeds', observed: 'it fails with errno 22' },
      ]),
    ).toHaveLength(1);
  });

  it('is a failure that is reported twice, whichever event says so as well', () => {
    const both = (rule: string, event: string): Part => ({
      rule,
      expected: `either a completion in error or ${event}`,
      observed: 'both',
    });
    expect(grouped([both('a', 'IBV_EVENT_QP_REQ_ERR'), both('b', 'IBV_EVENT_QP_ACCESS_ERR')])).toEqual([
      'a b',
    ]);
  });
});
