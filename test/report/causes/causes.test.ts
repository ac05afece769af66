import { describe, expect, it } from 'vitest';
import { recordedRuns } from '../../../scripts/findings/runs.ts';
import { causesOf } from '../../../report/causes/causes.ts';
import type { Failure, Influence, RuleResult, RunResult } from '../../../report/results.ts';
import { sampleFailure, sampleRule, sampleRun } from '../sample.ts';

const impacts = ['security', 'wrong-data', 'hang', 'qp-loss', 'wrong-report'].map((id) => ({
  id,
  says: `${id}.`,
}));

interface Part {
  rule: string;
  signature?: string;
  expected?: string;
  observed?: string;
  impact?: string;
  before?: string[];
  /** what its exchange breaks later */
  beside?: string[];
  machine?: string;
  influences?: Influence[];
  known?: RuleResult['known'];
}

function runOf(parts: readonly Part[]): RunResult {
  const failures = parts.map((part): Failure => {
    const { rule, signature = 's', before = [], beside = [], machine: _machine, known, ...text } = part;
    const also = [
      ...before.map((other) => ({ rule: other, signature: 's', before: true })),
      ...beside.map((other) => ({ rule: other, signature: 's', before: false })),
    ];
    return { ...sampleFailure, observed: rule, ...text, rule, signature, also, known: known !== undefined };
  });
  const rules = parts.map(({ rule: id, impact = 'wrong-report', machine, known }) =>
    sampleRule({
      id,
      verdict: 'fail',
      violations: 1,
      impact,
      ...(machine !== undefined && { location: { file: `spec/machines/${machine}/x.yaml`, line: 1 } }),
      ...(known !== undefined && { known }),
    }),
  );
  return sampleRun({ rules, failures, impacts });
}

function grouped(parts: readonly Part[]): string[] {
  return causesOf(runOf(parts)).map(({ findings, consequences }) => {
    const names = (list: readonly Failure[]): string => list.map(({ rule }) => rule).join(' ');
    return [names(findings), ...(consequences.length > 0 ? [names(consequences)] : [])].join(' > ');
  });
}

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
        { rule: 'b', signature: 'NAK, in SQD', observed: 'x of b' },
        { rule: 'b', signature: 'ACK', observed: 'y of b' },
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

  it('hold what is seen beside a QP that left RTS for no reason', () => {
    expect(
      grouped([
        { rule: 'a', observed: 'no completion', expected: 'success', beside: ['b', 'c'] },
        { rule: 'b', observed: 'state ERR', expected: 'state RTS' },
        { rule: 'c', observed: 'state ERR', expected: 'state SQE' },
      ]),
    ).toEqual(['a b', 'c']);
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
  });

  it('hold what takes the attributes of what is seen everywhere, and nothing else of it', () => {
    const what = 'retryCnt of the requester';
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

  it('hold known divergences that are explained at one place', () => {
    const known = { reason: 'x', link: 'page#one' };
    const other = { reason: 'x', link: 'page#two' };
    expect(
      grouped([
        { rule: 'a', known },
        { rule: 'b', known: other },
        { rule: 'c', known },
      ]),
    ).toEqual(['a c', 'b']);
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

  it.each([
    ['hang', 'IBV_WC_SUCCESS of work request 1', 'no completion', 'hang'],
    ['hang', 'IBV_WC_SUCCESS of work request 1', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'qp-loss'],
    ['wrong-data', 'no receive completion', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'qp-loss'],
    ['wrong-data', 'no receive completion', 'IBV_WC_SUCCESS of work request 1', 'wrong-data'],
    ['wrong-report', 'no receive completion', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'wrong-report'],
    ['hang', 'IBV_WC_RETRY_EXC_ERR for wr_id 1000', 'IBV_WC_REM_OP_ERR for wr_id 1000', 'wrong-report'],
    ['wrong-report', 'IBV_WC_RETRY_EXC_ERR for wr_id 1000', 'IBV_WC_SUCCESS for wr_id 1000', 'wrong-data'],
    ['wrong-report', 'no completion for wr_id 1000', 'IBV_WC_SUCCESS for wr_id 1000', 'wrong-report'],
    ['security', 'no receive completion', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'security'],
  ])('of a rule of %s have the impact of what is seen: %s, %s', (impact, expected, observed, shown) => {
    const [cause] = causesOf(runOf([{ rule: 'a', impact, expected, observed }]));
    expect(cause?.impact?.id).toBe(shown);
  });

  it('have a name in words', () => {
    const names = causesOf(
      runOf([
        {
          rule: 'a',
          expected: 'NAK Invalid request with PSN 8388606',
          observed: 'RC ACKNOWLEDGE psn 8388606 qp 0x70 NAK Remote operational error msn 0',
        },
        {
          rule: 'b',
          expected: 'no response',
          observed: 'RC ACKNOWLEDGE psn 19 qp 0x70050e NAK PSN sequence error msn 0',
        },
        { rule: 'c', expected: 'IBV_EVENT_COMM_EST', observed: 'no event' },
        {
          rule: 'd',
          expected: 'NAK PSN sequence error with PSN 0',
          observed: 'RC ACKNOWLEDGE psn 1 qp 0x700001 NAK PSN sequence error msn 0',
        },
      ]),
    ).map(({ name }) => name);
    expect(names).toEqual([
      'NAK Remote operational error instead of NAK Invalid request',
      'unexpected NAK PSN sequence error',
      'missing IBV_EVENT_COMM_EST',
      'NAK PSN sequence error with another PSN',
    ]);
  });

  it.each([
    ['byte 512 of region 17588 = 0x19', '0x8a', 'another byte of memory'],
    ['payload byte 0 = 168', '112', 'another byte of payload'],
    ['packets from PSN 5 on sent again', 'nothing 640 ms after the RNR NAK', 'missing packets sent again'],
    [
      'the next packet of the QP at 2.5 Gb/s within 21.094 us',
      'none within 22 us',
      'missing the next packet of the QP',
    ],
    ['a cut for the CNP within 20.000 us', 'none within 46 us', 'missing cut for the CNP'],
    ['an increase after 16384 bytes', 'none within 46 us', 'missing increase'],
    ['1 packet of work request 1002', 'no packet', 'missing packet'],
    ['3 packets of work request 1002', 'no packet', 'missing packet'],
    ['PSN 7 sent, or the failure of its work request', 'nothing more was sent', 'missing packet'],
    ['state RTS: nothing says that it has failed', 'state ERR', 'state ERR instead of state RTS'],
    ['retry_cnt of 0..7', 'retry_cnt 255', 'retry_cnt beyond 0..7'],
    ['max_rd_atomic 123', 'max_rd_atomic 128', 'another max_rd_atomic'],
    ['MigReq 1 in MIGRATED', 'MigReq 0', 'MigReq 0 instead of MigReq 1 in MIGRATED'],
    ['MSN 1', 'MSN 0', 'another MSN'],
    ['PSN 16777215 or 0', 'ORC ACKNOWLEDGE psn 1 qp 0x11 ACK msn 1 trigger 0', 'another PSN'],
    ['addressed to qp 7 at fd00::2', 'addressed to qp 17 at fd00::2', 'addressed to another QP'],
    ['addressed to qp 7 at fd00::2', 'addressed to qp 7 at 10.0.0.2', 'addressed to another address'],
    ['RNR NAK timer 12 (0.64 ms) with PSN 0', 'no response', 'missing RNR NAK'],
    [
      'all 1 packet of work request 1000 before its completion',
      'no packet',
      'missing all packets before its completion',
    ],
    ['no bytes yet', 'bytes, rate 82.5625 Gb/s, target 100 Gb/s, alpha 1', 'unexpected bytes'],
    ['at most 3 READs unanswered', 'IBV_WR_RDMA_READ while 3 are', 'more READs unanswered than allowed'],
    [
      'ibv_modify_qp in RTS with timeout 11, sq_psn 1 fails',
      'it succeeds',
      'ibv_modify_qp without a state accepted',
    ],
    ['completion of receive wr_id 1 with IBV_WC_X', 'wr_id 1 with IBV_WC_Y', 'IBV_WC_Y instead of IBV_WC_X'],
    ['wr_id 1002 fails', 'no completion', 'missing failure of the work request'],
    ['no request', 'RC_COMPARE_SWAP with PSN 14172600', 'unexpected request'],
    [
      'the next new packet (PSN 22), or nothing',
      'RC_SEND_FIRST with PSN 21',
      'unexpected request sent again',
    ],
    ['UC_SEND_FIRST', 'UC_SEND_ONLY', 'request with another opcode'],
    [
      'no response',
      'RC ATOMIC_ACKNOWLEDGE psn 0 qp 0x70 ACK msn 1 original 1',
      'unexpected ATOMIC Acknowledge',
    ],
    ['Acknowledge of PSN 7', 'RC ACKNOWLEDGE psn 8 qp 0x70 ACK msn 0', 'another Acknowledge'],
    [
      'READ responses from PSN 1 (response 1 of 1, 495 bytes in all)',
      'RC RDMA_READ_RESPONSE_LAST psn 1 qp 0x70 ACK msn 1 495 bytes',
      'another READ response',
    ],
    [
      'NAK Remote access error with PSN 0',
      'RC RDMA_READ_RESPONSE_ONLY psn 0 qp 0x70 ACK msn 1 8 bytes',
      'READ response instead of NAK Remote access error',
    ],
    ['IBV_WC_SUCCESS for IBV_WR_SEND wr_id 1000', 'no completion', 'missing IBV_WC_SUCCESS'],
    ['invalidated R_Key 0x8000117', 'no invalidated R_Key', 'missing invalidated R_Key'],
    ['ibv_modify_qp of a UD QP from RTS to RTS succeeds', 'it fails with errno 22', 'ibv_modify_qp refused'],
    ['ibv_post_send in INIT fails', 'it succeeds', 'ibv_post_send in INIT accepted'],
    [
      'a device that goes on working',
      'its kernel panics: kernel NULL pointer dereference, address: 0000000000000104 in f+0x49/0x1a0',
      'kernel panics, NULL pointer dereference in f',
    ],
  ])('are called the same in every run: %s, %s', (expected, observed, name) => {
    expect(causesOf(runOf([{ rule: 'a', expected, observed }])).map((cause) => cause.name)).toEqual([name]);
  });

  it('of the runs that are checked in have no number of one run in their names', () => {
    const names = recordedRuns().flatMap(({ result }) => causesOf(result).map(({ name }) => name));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => /0x|\b\d{2}/.test(name.replaceAll(/\d+\.\.\d+/g, '')))).toEqual([]);
  });
});
