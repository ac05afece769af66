import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../report/causes/causes.ts';
import type { Failure, LadderLine } from '../../../report/results.ts';
import { impacts, runOf, type Part } from './run-of.ts';

/** Names of the causes with the rules of each; `more`: what the findings have besides, by rule. */
function named(parts: readonly Part[], more: Readonly<Record<string, Partial<Failure>>> = {}): string[] {
  const run = runOf(parts);
  const failures = run.failures.map((failure) => ({ ...failure, ...more[failure.rule] }));
  return causesOf({ ...run, failures, impacts }).map(
    ({ name, findings }) => `${name}: ${findings.map(({ rule }) => rule).join(' ')}`,
  );
}

const line = (kind: LadderLine['kind'], text: string, guilty = false): LadderLine => ({
  t: 0,
  kind,
  text,
  ...(guilty && { guilty }),
});

describe('one cause', () => {
  it('is a response that does not fit its request, whatever was due in its place', () => {
    const ack = 'RC ACKNOWLEDGE psn 3 qp 0x700001 ACK msn 1';
    const ladder = [
      line('to-dut', 'RC RDMA_READ_REQUEST psn 3 qp 0x000011 ack-req'),
      line('to-dut', 'RC SEND_ONLY psn 4 qp 0x000011 ack-req 0 bytes'),
      line('from-dut', ack, true),
    ];
    const parts = [
      { rule: 'a', expected: 'NAK Remote access error with PSN 4', observed: ack, impact: 'security' },
      { rule: 'b', expected: 'RNR NAK of PSN 4', observed: ack },
    ];
    expect(named(parts, { a: { ladder }, b: { ladder } })).toEqual(['Acknowledge in answer to a READ: a b']);
    const own = [line('to-dut', 'RC SEND_ONLY psn 3 qp 0x000011 ack-req 0 bytes'), ...ladder.slice(2)];
    expect(named(parts, { a: { ladder: own }, b: { ladder: own } })).toHaveLength(2);
  });

  it('is a check that is not made, whatever becomes of the request', () => {
    const expected = 'NAK PSN sequence error with PSN 0';
    const nak = 'RC ACKNOWLEDGE psn 1 qp 0x700001 NAK Invalid request msn 0';
    expect(
      named([
        { rule: 'a', signature: 'x', expected, observed: 'no response' },
        { rule: 'a', signature: 'y', expected, observed: nak },
        { rule: 'b', expected: 'MSN 1', observed: 'MSN 2' },
      ]),
    ).toHaveLength(2);
  });

  it('is a response that grants, with the success that the requester makes of it', () => {
    expect(
      named([
        {
          rule: 'a',
          expected: 'NAK Remote access error with PSN 0',
          observed: 'RC ACKNOWLEDGE psn 0 qp 0x700001 ACK msn 1',
          machine: 'rc-responder',
        },
        {
          rule: 'b',
          expected: 'completion of work request wr_id 1000 with IBV_WC_REM_ACCESS_ERR',
          observed: 'IBV_WC_SUCCESS',
          machine: 'end-to-end',
        },
      ]),
    ).toHaveLength(1);
  });

  it('is what a full CQ has lost silently', () => {
    const parts = [
      { rule: 'a', expected: 'IBV_WC_SUCCESS of work request 2', observed: 'no completion' },
      { rule: 'b', expected: 'IBV_EVENT_CQ_ERR', observed: '1 of 2 completions did not come' },
    ];
    const came = line('completion', 'completion wr_id 1 IBV_WC_SUCCESS');
    const said = line('event', 'IBV_EVENT_CQ_ERR');
    const of = (cqe: number, ladder: LadderLine[]): string[] =>
      named(parts, { a: { ladder, scenario: { cqe } } });
    expect(of(1, [came])).toEqual(['missing IBV_EVENT_CQ_ERR: b a']);
    expect(of(1, [came, said])).toHaveLength(2);
    expect(of(2, [came])).toHaveLength(2);
  });
});
