import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compareRuns, devicesDiffer, type RunDiff } from '../../cli/diff/compare.ts';
import { diffText } from '../../cli/diff/text.ts';
import { validator } from '../../oracle/compile/shape.ts';
import type { Failure, RuleResult, RunResult, Verdict } from '../../report/results.ts';
import { plain } from '../../report/style.ts';
import { readProjectFile } from '../project/files.ts';
import { runHere, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const verdicts: readonly Verdict[] = [
  'pass',
  'deviation',
  'observed',
  'fail',
  'inconclusive',
  'vacuous',
  'unsupported',
  'error',
];
const breaking: readonly Verdict[] = ['fail', 'deviation'];
const keeping: readonly Verdict[] = ['pass', 'observed'];

function rule(id: string, verdict: Verdict, more: Partial<RuleResult> = {}): RuleResult {
  const violations = breaking.includes(verdict) ? 1 : 0;
  const exercised = breaking.includes(verdict) || keeping.includes(verdict) ? 3 : 0;
  const says = `What ${id} says.`;
  return { id, says, level: 'must', table: 't', verdict, exercised, violations, statements: [], ...more };
}

function failure(id: string, observed: string): Failure {
  return {
    rule: id,
    property: 'p',
    level: 'must',
    says: '',
    statements: [],
    expected: 'an ACK',
    observed,
    reproduced: { times: 5, of: 5 },
    known: false,
    token: 'rdc1.0.0',
    scenario: {},
    ladder: [],
  };
}

function result(rules: RuleResult[], more: Partial<RunResult> = {}): RunResult {
  const counts = Object.fromEntries(verdicts.map((v) => [v, rules.filter((r) => r.verdict === v).length]));
  return {
    schema: 'rdma-conform/results/1',
    adapter: { name: 'x', profile: { version: '1', limits: { maxQps: 4 } } },
    seed: 1,
    spec: 'abc',
    durationMs: 1,
    counts: counts as RunResult['counts'],
    cases: 10,
    packets: 100,
    rules,
    properties: [],
    failures: [],
    unexpectedPasses: [],
    notJudged: [],
    interrupted: false,
    errors: [],
    ...more,
  };
}

const kinds = (diff: RunDiff): Record<string, string> =>
  Object.fromEntries(diff.differences.map(({ rule: id, kind }) => [id, kind]));

describe('comparing two runs', () => {
  it('calls a rule broken by one device only what it is, whatever the two verdicts are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...verdicts), fc.constantFrom(...verdicts), (a, b) => {
        const diff = compareRuns(result([rule('r', a)]), result([rule('r', b)]));
        const only = breaking.includes(a) && keeping.includes(b) ? 'only-a' : undefined;
        const other = breaking.includes(b) && keeping.includes(a) ? 'only-b' : undefined;
        const judged = [a, b].filter((v) => breaking.includes(v) || keeping.includes(v)).length;
        const expected = only ?? other ?? (judged === 1 ? 'unjudged' : undefined);
        expect(kinds(diff)).toEqual(expected === undefined ? {} : { r: expected });
        expect(diff.alike).toBe(judged === 2 && expected === undefined ? 1 : 0);
        expect(devicesDiffer(diff)).toBe(only !== undefined || other !== undefined);
      }),
    );
  });

  it('tells two ways to break a rule apart, but not two numbers', () => {
    const broken = [rule('r', 'fail'), rule('s', 'fail')];
    const first = result(broken, { failures: [failure('r', 'NAK with PSN 5'), failure('s', 'PSN 0x1f')] });
    const second = result(broken, { failures: [failure('r', 'nothing'), failure('s', 'PSN 7')] });
    expect(kinds(compareRuns(first, second))).toEqual({ r: 'otherwise' });
  });

  it('names the device as its run was asked for it, where the command line is known', () => {
    const broken = { failures: [failure('r', 'nothing')], command: 'npx rdma-conform --adapter x:kernel=2' };
    const text = (more: Partial<RunResult>): string =>
      diffText(compareRuns(result([rule('r', 'pass')]), result([rule('r', 'fail')], more)), {
        width: 80,
        style: plain,
      });
    expect(text(broken)).toContain('replay rdc1.0.0 --adapter x:kernel=2\n');
    const { command: _command, ...older } = broken;
    expect(text(older)).toContain('replay rdc1.0.0 --adapter x\n');
  });

  it('lists choices that only one device was seen to take, and does not call them a difference', () => {
    const took = (...what: string[]): RunResult =>
      result([
        rule('r', 'observed', { level: 'may', choices: what.map((w, i) => ({ what: w, count: 9 - i })) }),
      ]);
    expect(compareRuns(took('ACK', 'none'), took('none', 'ACK')).differences).toEqual([]);
    const diff = compareRuns(took('ACK', 'none'), took('none'));
    expect(kinds(diff)).toEqual({ r: 'choice' });
    expect(devicesDiffer(diff)).toBe(false);
  });

  it('names together rules of which one run says the same nothing', () => {
    const ids = ['one', 'two', 'three'];
    const before = result(ids.map((id) => rule(id, id === 'two' ? 'observed' : 'pass')));
    const text = diffText(compareRuns(before, result(ids.map((id) => rule(id, 'vacuous')))), {
      width: 100,
      style: plain,
    });
    const [, part = ''] = text.split('no comparison is possible (3)\n');
    expect(part.split('\n').slice(0, 7)).toEqual([
      '  one (must), three (must)',
      '    A        pass',
      '    B        vacuous',
      '  two (must)',
      '    A        observed',
      '    B        vacuous',
      '',
    ]);
  });

  it('says where the runs are not comparable, and what the devices say of themselves', () => {
    const second = result([], {
      spec: 'def',
      seed: 2,
      interrupted: true,
      adapter: { name: 'y', profile: { version: '2', limits: { maxQps: 8 }, clock: 'real' } },
    });
    const diff = compareRuns(result([]), second);
    expect(diff.cautions).toHaveLength(3);
    expect(diff.profile).toEqual([
      { what: 'limits.maxQps', a: '4', b: '8' },
      { what: 'clock', a: 'not said', b: '"real"' },
    ]);
  });
});

describe('the command', () => {
  const save = (name: string, content: unknown): string => {
    const path = join(folder.path, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const sound = save('a.json', result([rule('r', 'pass')]));
  const faulty = save('b.json', result([rule('r', 'fail')], { failures: [failure('r', 'nothing')] }));

  it('ends with 1 where the devices differ and with 0 where they do not', async () => {
    expect(await runHere(['diff', sound, sound])).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await runHere(['diff', sound, faulty]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Only B breaks \(1\)[^]*r \(must\)[^]*fail, 1 of 3 times: nothing/);
  });

  it('writes json that fits its schema', async () => {
    const { stdout } = await runHere(['diff', faulty, sound, '--format', 'json']);
    const valid = validator(
      JSON.parse(readProjectFile('spec/schema/diff.schema.json')) as Record<string, unknown>,
    );
    expect(valid(JSON.parse(stdout)), JSON.stringify(valid.errors)).toBe(true);
  });

  it.each([
    ['is not there', 'nowhere.json', 'cannot be read'],
    ['is no report', save('c.json', { schema: 'else' }), 'is not what diff takes'],
  ])('says so if a file %s', async (_, file, message) => {
    const { code, stderr } = await runHere(['diff', sound, file]);
    expect(code).toBe(64);
    expect(stderr).toContain(message);
  });
});
