import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeRuns } from '../../report/merge.ts';
import type { RunResult } from '../../report/results.ts';
import { sampleRule, sampleRun } from '../report/sample.ts';
import { runHere, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const read = (name: string): RunResult =>
  JSON.parse(readFileSync(join(folder.path, name), 'utf8')) as RunResult;

const device = ['--adapter', 'reference:mutant=nak-psn-of-request', '--suite', 'rc-responder'];

async function part(name: string, ...flags: string[]): Promise<void> {
  const { code } = await runHere(
    ['run', ...device, '--runs', '120', '--reporter', `json=${name}`, ...flags],
    {
      cwd: folder.path,
    },
  );
  expect(code).toBe(1);
}

describe('merge', () => {
  beforeAll(async () => {
    for (const i of [1, 2]) await part(`${i}.json`, '--shard', `${i}/2`);
    await part('whole.json');
  });

  it('makes the parts of a campaign one run that counts what its parts do', async () => {
    const { code, stderr } = await runHere(['merge', '1.json', '2.json', '--reporter', 'json=merged.json'], {
      cwd: folder.path,
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const merged = read('merged.json');
    const parts = [read('1.json'), read('2.json')];
    const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
    const exercised = (result: RunResult, id: string): number =>
      result.rules.find((rule) => rule.id === id)?.exercised ?? 0;
    expect(merged.cases).toBe(sum(parts.map(({ cases }) => cases)));
    for (const { id, verdict } of merged.rules) {
      expect(exercised(merged, id), id).toBe(sum(parts.map((part) => exercised(part, id))));
      // what one part has not met, the other one may have
      const own = parts.map((part) => part.rules.find((rule) => rule.id === id)?.verdict);
      expect(own.includes('fail'), id).toBe(verdict === 'fail');
      expect(
        own.every((one) => one === 'vacuous'),
        id,
      ).toBe(verdict === 'vacuous');
    }
    for (const { id, cases } of merged.properties)
      expect(cases, id).toBe(
        sum(parts.map((part) => part.properties.find((one) => one.id === id)?.cases ?? 0)),
      );
    // a part has cases of its own, and together they are as large as the whole
    expect(merged.cases).toBe(read('whole.json').cases);
    expect(new Set(merged.failures.map(({ rule }) => rule))).toEqual(new Set(['rc-request-ahead']));
    expect(merged.partial).toBeUndefined();
    expect(merged.shards).toEqual({ of: 2, have: [1, 2] });
  });

  it('stamps a part as partial, alone and merged with too few others', async () => {
    expect(read('1.json').partial).toEqual(['part 2 of 2 missing']);
    const { stdout } = await runHere(['merge', '2.json'], { cwd: folder.path });
    expect(stdout).toMatch(/^Partial: .*\n {2}part 1 of 2 missing$/m);
  });

  it('is inconclusive where a part is missing, and nothing else is wrong', async () => {
    for (const i of [1, 2]) {
      const flags = [
        '--suite',
        'ud',
        '--runs',
        '40',
        '--shard',
        `${i}/2`,
        '--reporter',
        `json=sound${i}.json`,
      ];
      expect(await runHere(flags, { cwd: folder.path })).toMatchObject({ code: 0 });
    }
    expect(await runHere(['merge', 'sound1.json'], { cwd: folder.path })).toMatchObject({ code: 2 });
    const whole = await runHere(['merge', 'sound1.json', 'sound2.json'], { cwd: folder.path });
    expect(whole).toMatchObject({ code: 0 });
  });

  it('refuses a part that is there twice, and parts of other campaigns', async () => {
    const twice = await runHere(['merge', '1.json', '1.json'], { cwd: folder.path });
    expect(twice).toMatchObject({ code: 64, stderr: 'rdma-conform: part 1 of 2 is there twice\n' });
    const other = { ...read('2.json'), seed: 5 };
    writeFileSync(join(folder.path, 'other.json'), JSON.stringify(other));
    const mixed = await runHere(['merge', '1.json', 'other.json'], { cwd: folder.path });
    expect(mixed.code).toBe(64);
    expect(mixed.stderr).toContain('the seed differs (1, 5)');
    const { adapter } = read('2.json');
    const newer = { ...read('2.json'), adapter: { ...adapter, profile: { version: '2' } } };
    writeFileSync(join(folder.path, 'newer.json'), JSON.stringify(newer));
    const versions = await runHere(['merge', '1.json', 'newer.json'], { cwd: folder.path });
    expect(versions).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('the version of the device differs'),
    });
    const whole = await runHere(['merge', 'whole.json', 'whole.json'], { cwd: folder.path });
    expect(whole).toMatchObject({ code: 64, stderr: expect.stringContaining('whole runs') });
  });
});

describe('merged results', () => {
  const parts = (a: Partial<RunResult>, b: Partial<RunResult>): RunResult =>
    mergeRuns([
      sampleRun({
        ...a,
        shards: { of: 2, have: [1] },
        partial: [...(a.partial ?? []), 'part 2 of 2 missing'],
      }),
      sampleRun({
        ...b,
        shards: { of: 2, have: [2] },
        partial: [...(b.partial ?? []), 'part 1 of 2 missing'],
      }),
    ]);

  it.each([
    ['pass', 'vacuous', 'pass'],
    ['vacuous', 'fail', 'fail'],
    ['pass', 'inconclusive', 'inconclusive'],
    ['fail', 'error', 'error'],
    ['unsupported', 'unsupported', 'unsupported'],
  ] as const)('of %s and %s have %s', (a, b, verdict) => {
    const merged = parts({ rules: [sampleRule({ verdict: a })] }, { rules: [sampleRule({ verdict: b })] });
    expect(merged.rules[0]?.verdict).toBe(verdict);
    expect(merged.counts[verdict]).toBe(1);
  });

  it('say no more why a rule is vacuous once a part has tried it', () => {
    const rules = [sampleRule({ verdict: 'vacuous', exercised: 0, why: 'its case never arose' })];
    expect(parts({ rules }, { rules: [sampleRule({})] }).rules[0]).not.toHaveProperty('why');
  });

  it('take a known divergence that one part saw for one that showed', () => {
    const seen = [sampleRule({ verdict: 'fail', violations: 2, known: { reason: 'x' } })];
    const unseen = [sampleRule({ known: { reason: 'x' } })];
    const gone = { unexpectedPasses: ['rc-request-ahead'] };
    expect(parts({ rules: seen }, { rules: unseen, ...gone }).unexpectedPasses).toEqual([]);
    expect(parts({ rules: unseen, ...gone }, { rules: unseen, ...gone }).unexpectedPasses).toEqual([
      'rc-request-ahead',
    ]);
  });

  it('count the cases that the device ended in all parts', () => {
    expect(parts({ endedByDevice: 3 }, { endedByDevice: 4 }).endedByDevice).toBe(7);
    expect(parts({}, {})).not.toHaveProperty('endedByDevice');
  });

  it('stay partial where a part was cut short', () => {
    expect(parts({ partial: ['the time limit was reached'] }, {}).partial).toEqual([
      'the time limit was reached',
    ]);
    expect(parts({}, {}).partial).toBeUndefined();
  });
});
