import { describe, expect, it } from 'vitest';
import { recordedRuns } from '../../../scripts/findings/runs.ts';
import { causesOf } from '../../../report/causes/causes.ts';
import { impactText } from '../../../report/causes/text.ts';
import type { Influence } from '../../../report/results.ts';
import { sampleRun } from '../sample.ts';
import { grouped, impacts, runOf, type Part } from './run-of.ts';

describe('causes', () => {
  it('rank by impact, and news before what is known', () => {
    const known = { reason: 'x' };
    expect(
      grouped([
        { rule: 'a', impact: 'hang' },
        { rule: 'b', impact: 'wrong-data', known },
        { rule: 'c', impact: 'wrong-data' },
      ]),
    ).toEqual(['c', 'a', 'b']);
    expect(causesOf(runOf([{ rule: 'a', impact: 'hang' }]))[0]?.impact).toEqual({
      id: 'hang',
      says: 'hang.',
    });
  });

  it('have names of their own, also where they show the same', () => {
    const { rules, failures } = runOf([{ rule: 'a' }, { rule: 'b' }]);
    const same = failures.map((failure) => ({ ...failure, expected: 'x', observed: 'y' }));
    const names = causesOf(sampleRun({ rules, failures: same, impacts })).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { result } of recordedRuns()) {
      const all = causesOf(result).map(({ name }) => name);
      expect(all).toEqual([...new Set(all)]);
    }
  });

  it('hold what one rule shows with and without what software had done with the QP', () => {
    expect(
      grouped([
        { rule: 'a', signature: 'NAK, after RESET', observed: 'x' },
        { rule: 'a', signature: 'NAK', observed: 'y' },
        { rule: 'b', signature: 'NAK, in SQD', expected: 'z', observed: 'x of b' },
        { rule: 'b', signature: 'ACK', expected: 'z', observed: 'y of b' },
      ]),
    ).toEqual(['a a', 'b', 'b']);
  });

  it('hold what shares a symptom', () => {
    const event = { observed: 'no event' };
    expect(
      grouped([
        { rule: 'a', expected: 'IBV_EVENT_QP_REQ_ERR', ...event },
        { rule: 'b', expected: 'IBV_EVENT_QP_REQ_ERR or IBV_EVENT_QP_ACCESS_ERR', ...event },
        { rule: 'c', expected: 'IBV_EVENT_QP_ACCESS_ERR', observed: 'none' },
        { rule: 'd', expected: 'IBV_EVENT_COMM_EST', ...event },
      ]),
    ).toEqual(['a b c', 'd']);
  });

  it('hold what needs the same defect of a packet that the peer crafts', () => {
    const needs = (step: string, is: string, kept = 'none'): { influences: Influence[] } => ({
      influences: [{ what: `step 2 (${step}): defect`, is, broken: [], kept: [kept] }],
    });
    expect(
      grouped([
        { rule: 'a', observed: 'x', ...needs('inject SEND_ONLY', 'another P_Key') },
        { rule: 'b', observed: 'y', ...needs('inject FETCH_ADD', 'another P_Key') },
        { rule: 'c', observed: 'z', ...needs('respond ack', 'another P_Key') },
        { rule: 'd', observed: 'u', ...needs('inject SEND_ONLY', 'wrong ICRC') },
      ]),
    ).toEqual(['a b', 'c', 'd']);
  });

  it('hold what says the same in words, within one machine where each machine may have such a defect of its own', () => {
    const completion = { expected: 'IBV_WC_SUCCESS of work request 1', observed: 'no completion' };
    const bit = { expected: 'solicited event bit 1', observed: '0' };
    expect(
      grouped([
        { rule: 'a', machine: 'uc', ...completion },
        { rule: 'b', machine: 'uc', ...completion },
        { rule: 'c', machine: 'ud', ...completion },
        { rule: 'd', machine: 'uc', ...bit },
        { rule: 'e', machine: 'ud', ...bit },
      ]),
    ).toEqual(['a b', 'd e', 'c']);
  });

  it('hold what departs from one rule with one packet and with another, and tell one status from another', () => {
    const next = { rule: 'a', expected: 'the next packet' };
    const none = { rule: 'b', expected: 'no receive completion' };
    expect(
      grouped([
        { ...next, signature: '1', observed: 'SEND_LAST with PSN 1' },
        { ...next, signature: '2', observed: 'RDMA_WRITE_LAST solicited with PSN 2' },
        { ...next, signature: '3', observed: 'NAK PSN sequence error' },
        { ...none, signature: '1', observed: 'IBV_WC_SUCCESS of work request 1' },
        { ...none, signature: '2', observed: 'IBV_WC_LOC_LEN_ERR of work request 1' },
      ]),
    ).toEqual(['b', 'a a', 'a', 'b']);
  });

  it('hold what is seen beside a QP that left RTR or RTS for no reason, and begin with that', () => {
    for (const state of ['RTS', 'RTR']) {
      const parts = [
        { rule: 'a', impact: 'hang', observed: 'no completion', expected: 'success', beside: ['b', 'c'] },
        { rule: 'b', observed: 'state ERR', expected: `state ${state}` },
        { rule: 'c', observed: 'state ERR', expected: 'state SQE' },
      ];
      expect(grouped(parts)).toEqual(['b a', 'c']);
      const [first] = causesOf(runOf(parts));
      expect(first?.name).toBe(`state ERR instead of state ${state}`);
      expect(first?.impact?.id).toBe('hang');
    }
  });

  it('take the last WQE of an SRQ whose QP works for a QP that left its state', () => {
    const undue = {
      expected: 'no IBV_EVENT_QP_LAST_WQE_REACHED',
      observed: 'IBV_EVENT_QP_LAST_WQE_REACHED in RTS',
    };
    expect(
      grouped([
        { rule: 'a', ...undue },
        { rule: 'b', expected: 'state RTS', observed: 'state ERR' },
        { rule: 'c', ...undue, observed: 'IBV_EVENT_QP_LAST_WQE_REACHED in ERR' },
      ]),
    ).toEqual(['a b', 'c']);
  });

  it('stand by how often they are seen, where they are equally grave, and so do the findings of one', () => {
    const event = { expected: 'IBV_EVENT_COMM_EST', observed: 'no event' };
    expect(
      grouped([
        { rule: 'a', times: 2 },
        { rule: 'b', times: 3, ...event },
        { rule: 'c', times: 1 },
        { rule: 'd', times: 9, ...event },
      ]),
    ).toEqual(['d b', 'a', 'c']);
  });

  it('hold all that a responder does not answer, unless it answers whatever is no error', () => {
    const silence = (rule: string, expected: string, machine = 'rc-responder'): Part => ({
      rule,
      expected,
      machine,
      observed: 'no response',
    });
    const parts = [
      silence('a', 'Acknowledge'),
      silence('b', 'READ responses'),
      silence('c', 'NAK Invalid request'),
      silence('d', 'NAK PSN sequence error', 'ooo'),
      silence('e', 'NAK Remote access error', 'ooo'),
    ];
    expect(grouped(parts)).toEqual(['a b c', 'd', 'e']);
    expect(causesOf(runOf(parts))[0]?.name).toBe('missing responses, good or bad');
    expect(causesOf(runOf(parts.slice(0, 1)))[0]?.name).toBe('missing Acknowledge');
    // one that answers as a rule is not silent, though nobody has tried what matters in the exception
    const seldom = parts.map((part) => ({ ...part, exercised: 100 }));
    expect(grouped(seldom)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('part what a responder does not answer where it answers other requests of the kind', () => {
    const silence = (rule: string, expected: string, influences: Influence[]): Part => ({
      rule,
      expected,
      influences,
      machine: 'rc-responder',
      observed: 'no response',
    });
    const without = (what: string, is: string, kept: string[]): Influence[] => [
      { what: `step 1 (inject ${is}): ${what}`, is, broken: [], kept },
    ];
    const refusal = silence('b', 'NAK Invalid request', []);
    const any = without('operation', 'SEND_ONLY', ['RDMA_READ_REQUEST']);
    expect(grouped([silence('a', 'Acknowledge', any), refusal])).toEqual(['a b']);
    const empty = without('payload', '0 bytes', ['1 byte']);
    expect(grouped([silence('a', 'Acknowledge', empty), refusal])).toEqual(['a', 'b']);
    const immediate = without('operation', 'SEND_ONLY_WITH_IMMEDIATE', ['SEND_ONLY']);
    expect(grouped([silence('a', 'Acknowledge', immediate), refusal])).toEqual(['a', 'b']);
  });

  it('part what a responder does not answer by what it logged of it', () => {
    const { rules, failures } = runOf(
      ['a', 'b', 'c', 'd'].map((rule) => ({
        rule,
        expected: rule === 'b' ? 'NAK Invalid request' : 'Acknowledge',
        observed: 'no response',
        machine: 'rc-responder',
      })),
    );
    const logs = [
      'assertion 1 of sge failed (2 times until the end)',
      'assertion 2 of sge failed',
      'bad key',
    ];
    const logged = failures.map((failure, i) => {
      const text = logs[i];
      const packet = { t: 0, kind: 'to-dut', text: 'SEND', guilty: true } as const;
      const ladder =
        text === undefined ? [packet] : [packet, { t: 0, kind: 'note', text: `log: ${text}` } as const];
      return { ...failure, ladder };
    });
    const causes = causesOf(sampleRun({ rules, failures: logged, impacts }));
    expect(causes.map(({ findings }) => findings.map(({ rule }) => rule).join(' ')).toSorted()).toEqual([
      'a b',
      'c',
      'd',
    ]);
  });

  it('part the checks that a packet must pass, each of which is one of its own', () => {
    const answered = (rule: string): Part => ({ rule, expected: 'no response', observed: 'NAK PSN 5' });
    expect(grouped([answered('a'), answered('b')])).toEqual(['a b']);
    const table = 'rc-responder-admission';
    expect(
      grouped([
        { ...answered('a'), table },
        { ...answered('b'), table },
        { ...answered('b'), table, signature: 't' },
      ]),
    ).toEqual(['b b', 'a']);
  });

  it('hold what takes the attributes of what is seen everywhere, and nothing else of it', () => {
    const what = 'retry_cnt of the requester';
    const influences = (is: string): Influence[] => [{ what, is, broken: [], kept: ['7'] }];
    const beside = ['q'];
    const others = Array.from({ length: 6 }, (_, i) => ({
      rule: `r${i}`,
      beside,
      influences: influences('3'),
    }));
    expect(
      grouped([
        { rule: 'q', influences: influences('0') },
        { rule: 'a', beside, influences: influences('0') },
        ...others,
      ]),
    ).toEqual(['q a', ...others.map(({ rule }) => rule)]);
  });

  it('tell a status at the requester from the same at the responder', () => {
    const expected = 'IBV_WC_LOC_PROT_ERR';
    const observed = (wr: number): string => `IBV_WC_LOC_QP_OP_ERR for wr_id ${wr}`;
    expect(
      grouped([
        { rule: 'a', expected, observed: observed(1000) },
        { rule: 'b', expected, observed: observed(1) },
        { rule: 'c', expected, observed: observed(1002) },
      ]),
    ).toEqual(['a c', 'b']);
  });

  it('hold what is graver as a consequence of what is seen far more often in front of it, and are as grave as it', () => {
    const parts = (times: number, impact = 'wrong-report') => [
      { rule: 'a', impact: 'wrong-data', times: 2, before: ['b'] },
      { rule: 'b', impact, times },
    ];
    expect(grouped(parts(10))).toEqual(['b > a']);
    expect(causesOf(runOf(parts(10)))[0]?.impact?.id).toBe('wrong-data');
    expect(grouped(parts(9))).toEqual(['a', 'b']);
    // a detail of a header loses no data
    expect(grouped(parts(100, 'header'))).toEqual(['a', 'b']);
  });

  it('hold what is only broken behind another finding as its consequence, unless it is graver', () => {
    expect(
      grouped([
        { rule: 'a', impact: 'wrong-report', before: ['b'] },
        { rule: 'b', impact: 'hang' },
        { rule: 'c', impact: 'wrong-report', before: ['a'] },
        { rule: 'd', impact: 'wrong-data', before: ['b'] },
      ]),
    ).toEqual(['d', 'b > a c']);
  });

  it('do not follow from what most exchanges break on their way', () => {
    const parts = Array.from({ length: 12 }, (_, i) => ({ rule: `r${i}`, before: ['common'] }));
    expect(grouped([...parts, { rule: 'common' }])).toHaveLength(13);
  });

  it('hold one refusal in the place of another, as the responder sends it and the requester reports it', () => {
    const expected = 'completion of work request wr_id 1000 with IBV_WC_REM_INV_REQ_ERR';
    expect(
      grouped([
        { rule: 'a', expected: 'NAK Invalid request with PSN 0', observed: 'NAK Remote access error' },
        {
          rule: 'b',
          expected: 'NAK invalid-request',
          observed: 'ORC ACKNOWLEDGE psn 0 NAK Remote access error',
        },
        { rule: 'c', expected, observed: 'IBV_WC_REM_ACCESS_ERR' },
        { rule: 'd', expected, observed: 'IBV_WC_REM_OP_ERR' },
      ]),
    ).toEqual(['a b c', 'd']);
  });

  it('hold what a QP flushes that is in ERR', () => {
    const flush = (queue: string, state: string): string =>
      `no flush of the ${queue} queue in ${state} before an event or a completion says that the QP has failed`;
    const observed = 'IBV_WC_WR_FLUSH_ERR';
    expect(
      grouped([
        { rule: 'a', expected: 'state SQE', observed: 'state ERR' },
        { rule: 'b', expected: flush('receive', 'SQE'), observed },
        { rule: 'c', expected: flush('send', 'RTS'), observed },
      ]),
    ).toEqual(['a b', 'c']);
  });

  it('hold what is wrong with the status of one completion', () => {
    const observed = 'IBV_WC_REM_INV_REQ_ERR of work request 1';
    expect(
      grouped([
        { rule: 'a', expected: 'IBV_WC_SUCCESS of work request 1', observed, beside: ['b', 'c'] },
        {
          rule: 'b',
          expected: 'a status of a responder',
          observed: 'IBV_WC_REM_INV_REQ_ERR at a UC responder',
        },
        { rule: 'c', expected: 'no receive completion', observed: 'IBV_WC_LOC_LEN_ERR of work request 1' },
      ]),
    ).toEqual(['a b', 'c']);
  });

  it('are named by what their exchanges show first, and are as grave as what follows', () => {
    const observed = 'IBV_WC_WR_FLUSH_ERR';
    const parts: Part[] = [
      { rule: 'a', impact: 'hang', expected: 'no completion for wr_id 1000', observed, before: ['b'] },
      {
        rule: 'b',
        impact: 'wrong-report',
        expected: 'no flush of the send queue in RTS before it',
        observed,
      },
    ];
    expect(grouped(parts)).toEqual(['b > a']);
    const [cause] = causesOf(runOf(parts));
    expect(cause?.impact).toMatchObject({ id: 'qp-loss', of: 'a' });
    // what it means is not what its name says: the text names the rule
    expect(impactText({ id: 'x', says: 'Lost.', of: 'a' })).toBe('Lost. (By a.)');
    const [alone] = causesOf(runOf(parts.slice(1)));
    expect(alone?.impact).not.toHaveProperty('of');
  });

  it('hold calls that name no state, whatever attributes they bring', () => {
    const observed = 'it succeeds';
    expect(
      grouped([
        { rule: 'a', expected: 'ibv_modify_qp in INIT with rnr_retry 0 fails', observed },
        { rule: 'b', expected: 'ibv_modify_qp in RTR with max_dest_rd_atomic 53 fails', observed },
        {
          rule: 'c',
          expected: 'ibv_modify_qp in RTR with qp_state RTS, max_dest_rd_atomic 5 fails',
          observed,
        },
      ]),
    ).toEqual(['a b', 'c']);
  });

  it('tell requests that should not be by their rules', () => {
    const request = { expected: 'no request', observed: 'RC_SEND_ONLY with PSN 5', machine: 'rc-requester' };
    expect(
      grouped([
        { rule: 'a', ...request },
        { rule: 'b', ...request },
      ]),
    ).toEqual(['a', 'b']);
  });

  it('do not follow from what came before where the rule is broken without it as well', () => {
    expect(
      grouped([
        { rule: 'a', signature: 's' },
        { rule: 'b', signature: 'MigReq, after SQD', observed: 'x', before: ['a'] },
        { rule: 'b', signature: 'MigReq', observed: 'y' },
        { rule: 'c', signature: 's, after SQD', observed: 'z', before: ['a'] },
      ]),
    ).toEqual(['a > c', 'b b']);
  });
});
