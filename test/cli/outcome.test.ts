import { describe, expect, it } from 'vitest';
import { checkExit, runExit, type Strictness } from '../../cli/outcome.ts';
import type { CheckResult } from '../../report/check-results.ts';
import type { RuleResult, RunResult } from '../../report/results.ts';
import { sampleFailure, sampleRule, sampleRun } from '../report/sample.ts';

const lenient = { strict: false, requireCoverage: false };
const known = { reason: 'as documented' };

function run(rules: readonly Partial<RuleResult>[], fields: Partial<RunResult> = {}): RunResult {
  return sampleRun({ rules: rules.map(sampleRule), properties: [], failures: [], ...fields });
}

describe('exit code of a run', () => {
  it.each<[string, number, RunResult, Partial<Strictness>?]>([
    ['all passed', 0, run([{ verdict: 'pass' }, { verdict: 'observed' }, { verdict: 'unsupported' }])],
    ['a MUST was broken', 1, run([{ verdict: 'pass' }, { verdict: 'fail' }])],
    ['the break is a known one', 0, run([{ verdict: 'fail', known }])],
    [
      'a failure stands beside rules that passed',
      1,
      run([{ verdict: 'pass' }], { failures: [sampleFailure] }),
    ],
    [
      'that failure is known',
      0,
      run([{ verdict: 'pass' }], { failures: [{ ...sampleFailure, known: true }] }),
    ],
    ['a SHOULD was broken', 0, run([{ verdict: 'deviation' }])],
    ['a SHOULD was broken, strict', 1, run([{ verdict: 'deviation' }]), { strict: true }],
    ['a known SHOULD was broken, strict', 0, run([{ verdict: 'deviation', known }]), { strict: true }],
    ['unclear', 2, run([{ verdict: 'inconclusive' }])],
    ['unclear, and a MUST was broken', 1, run([{ verdict: 'inconclusive' }, { verdict: 'fail' }])],
    ['a rule never exercised', 0, run([{ verdict: 'pass' }, { verdict: 'vacuous' }])],
    ['no rule ever exercised', 2, run([{ verdict: 'vacuous' }, { verdict: 'unsupported' }])],
    ['nothing but what the device does not have', 0, run([{ verdict: 'unsupported' }])],
    [
      'a rule never exercised, and asked for by name',
      2,
      run([{ verdict: 'pass' }, { id: 'x', verdict: 'vacuous' }]),
      { asked: ['x'] },
    ],
    [
      'a rule of what the device does not have, asked for by name',
      0,
      run([{ id: 'x', verdict: 'unsupported' }]),
      { asked: ['x'] },
    ],
    [
      'a rule never exercised, coverage asked for',
      2,
      run([{ verdict: 'vacuous' }]),
      { requireCoverage: true },
    ],
    ['a known divergence did not show', 1, run([{ verdict: 'pass' }], { unexpectedPasses: ['x'] })],
    ['a case was ended by the device', 2, run([{ verdict: 'pass' }], { endedByDevice: 1 })],
    [
      'a case was ended by the device, and a MUST was broken',
      1,
      run([{ verdict: 'fail' }], { endedByDevice: 1 }),
    ],
    ['interrupted', 130, run([{ verdict: 'pass' }], { interrupted: true })],
    ['interrupted after a break', 130, run([{ verdict: 'fail' }], { interrupted: true })],
    ['the adapter broke', 70, run([{ verdict: 'fail' }], { errors: ['hung'], interrupted: true })],
    ['a rule could not be judged by our fault', 70, run([{ verdict: 'error' }, { verdict: 'fail' }])],
  ])('%s: %i', (_, code, result, strictness) => {
    expect(runExit(result, { ...lenient, ...strictness })).toBe(code);
  });
});

describe('exit code of a check', () => {
  const check = (fields: Partial<CheckResult>): CheckResult => ({
    schema: 'rdma-conform/check/1',
    file: 'x.pcap',
    spec: '0',
    durationMs: 0,
    counts: sampleRun().counts,
    frames: 1,
    packets: 1,
    skipped: [],
    rules: [sampleRule({})],
    violations: [],
    notJudged: [],
    inconclusive: [],
    interrupted: false,
    errors: [],
    ...fields,
  });
  const damage = { offset: 24, message: 'cut' };

  it.each<[string, number, CheckResult]>([
    ['nothing wrong', 0, check({})],
    ['a break', 1, check({ rules: [sampleRule({ verdict: 'fail' })] })],
    ['damage', 2, check({ damage })],
    ['a break before the damage', 1, check({ damage, rules: [sampleRule({ verdict: 'fail' })] })],
    ['something left open', 2, check({ inconclusive: ['gap'] })],
    ['interrupted', 130, check({ interrupted: true, damage })],
    ['our own trouble', 70, check({ errors: ['x'] })],
  ])('%s: %i', (_, code, result) => {
    expect(checkExit(result, lenient)).toBe(code);
  });
});
