import type { CheckResult } from '../../report/check-results.ts';
import type { Failure, RuleResult, RunResult } from '../../report/results.ts';

/** A failure with everything in it that a report shows. */
export const sampleFailure: Failure = {
  rule: 'rc-request-ahead',
  property: 'rc-responder/psn',
  level: 'must',
  says: 'A request beyond the expected PSN is answered by one NAK "PSN sequence error" <&> that carries the expected PSN.',
  statements: ['rx-psn-nak-carries-epsn', 'rx-psn-nak-condition'],
  expected: 'NAK psn-sequence-error with PSN 5',
  observed: 'NAK psn-sequence-error with PSN 6',
  reproduced: { times: 10, of: 10 },
  known: false,
  token: 'rc1.AbCd_-09',
  scenario: { version: 1, payload: '18446744073709551615' },
  ladder: [
    { t: 0, kind: 'verbs', text: 'post_recv wr_id=1 length=256' },
    { t: 1000, kind: 'to-dut', text: 'SEND_ONLY psn=7 ackreq payload=16', frame: '00' },
    { t: 2_500_000, kind: 'from-dut', text: 'ACKNOWLEDGE psn=6 NAK psn-sequence-error msn=0', guilty: true },
    { t: 3_000_000, kind: 'completion', text: 'wr_id=1 IBV_WC_SUCCESS' },
    { t: 3_000_000, kind: 'note', text: 'settled' },
  ],
};

export function sampleRule(fields: Partial<RuleResult>): RuleResult {
  return {
    id: 'rc-request-ahead',
    says: 'A request beyond the expected PSN is answered by one NAK.',
    level: 'must',
    table: 'rc-responder-psn',
    verdict: 'pass',
    exercised: 1234,
    violations: 0,
    statements: [],
    ...fields,
  };
}

/** A run with every verdict a report has to show. */
export function sampleRun(fields: Partial<RunResult> = {}): RunResult {
  return {
    schema: 'rdma-conform/results/1',
    adapter: { name: 'reference', profile: { name: 'reference', version: '1', clock: 'virtual' } },
    seed: 42,
    spec: '0123456789abcdef',
    durationMs: 1500,
    counts: {
      pass: 1,
      deviation: 1,
      observed: 1,
      fail: 2,
      inconclusive: 1,
      vacuous: 1,
      unsupported: 1,
      error: 0,
    },
    cases: 200,
    packets: 4321,
    rules: [
      sampleRule({ verdict: 'fail', violations: 3 }),
      sampleRule({
        id: 'rc-known',
        verdict: 'fail',
        violations: 1,
        known: { reason: 'rxe answers at once' },
      }),
      sampleRule({ id: 'rc-passes' }),
      sampleRule({ id: 'rc-vacuous', verdict: 'vacuous', exercised: 0, why: 'never arose' }),
      sampleRule({ id: 'rc-srq', verdict: 'unsupported', table: 'other', exercised: 0, why: 'no srq' }),
      sampleRule({ id: 'rc-choice', verdict: 'observed', level: 'may', table: 'other' }),
      sampleRule({ id: 'rc-should', verdict: 'deviation', level: 'should', table: 'other', violations: 1 }),
      sampleRule({ id: 'rc-unclear', verdict: 'inconclusive', table: 'other', why: 'host stall' }),
    ],
    properties: [
      { id: 'rc-responder/psn', suite: 'rc-responder', says: 'any PSN', verdict: 'fail', cases: 200 },
    ],
    failures: [sampleFailure],
    unexpectedPasses: [],
    notJudged: [{ what: 'receive queue: verbs calls not seen', count: 17 }],
    interrupted: false,
    errors: [],
    ...fields,
  };
}

/** A capture in which one rule was broken, and frames that could not be judged. */
export const sampleCheck: CheckResult = {
  schema: 'rdma-conform/check/1',
  file: 'some capture.pcapng',
  spec: '0123456789ab',
  durationMs: 12,
  counts: {
    pass: 1,
    deviation: 0,
    observed: 0,
    fail: 1,
    inconclusive: 0,
    vacuous: 0,
    unsupported: 0,
    error: 0,
  },
  frames: 12,
  packets: 10,
  skipped: [{ kind: 'not-roce', reason: 'no UDP', count: 2, firstFrame: 3 }],
  rules: [
    sampleRule({ verdict: 'fail', violations: 1, location: { file: 'spec/rules/x.yaml', line: 9 } }),
    sampleRule({ id: 'rc-passes' }),
  ],
  violations: [
    {
      rule: 'rc-request-ahead',
      level: 'must',
      says: sampleFailure.says,
      statements: sampleFailure.statements,
      frame: 11,
      t: 10_000,
      qp: 'qp 0x000022 at 10.0.0.2',
      expected: sampleFailure.expected,
      observed: sampleFailure.observed,
      ladder: sampleFailure.ladder,
    },
  ],
  notJudged: [{ what: 'receive queue: verbs calls not seen', count: 17 }],
  inconclusive: ['the capture has gaps'],
  interrupted: false,
  errors: [],
};
