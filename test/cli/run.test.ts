import { Ajv2020 } from 'ajv/dist/2020.js';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../report/results.ts';
import { readProjectFile, root } from '../project/files.ts';
import { interrupted, run, runHere, temporaryFolder, type Finished } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const planted = join(root, 'examples', 'planted-fault.ts');
const swallowed = join(root, 'examples', 'swallowed-completion.ts');

function read(name: string): string {
  return readFileSync(join(folder.path, name), 'utf8');
}

/** A run whose results are read back from its json report. */
async function results(
  name: string,
  args: readonly string[],
  start: typeof run = runHere,
): Promise<Finished & { result: RunResult }> {
  const finished = await start(['run', ...args, '--reporter', `json=${name}`], { cwd: folder.path });
  // a run that has no report says why
  expect(existsSync(join(folder.path, name)), finished.stderr).toBe(true);
  return { ...finished, result: JSON.parse(read(name)) as RunResult };
}

describe('a run on the reference NIC', () => {
  const args = ['--seed', '7', '--runs', '100'];

  it('passes, in a form that fits the schema; the same seed gives the same bytes apart from times', async () => {
    // one after the other: a second run in the same folder says so
    const one = await results('one.json', args, run);
    const two = await results('two.json', args);
    expect(one).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const valid = new Ajv2020().compile(
      JSON.parse(readProjectFile('spec/schema/results.schema.json')) as object,
    );
    expect(valid(one.result), JSON.stringify(valid.errors)).toBe(true);
    expect(one.result.cases).toBe(100);
    expect(two.code).toBe(0);
    expect(Date.now() - Date.parse(one.result.begun ?? '')).toBeLessThan(600_000);
    expect(one.result.command).toMatch(/^npx rdma-conform .*--seed 7 --runs 100/);
    const timeless = (name: string): string =>
      read(name).replaceAll(/"(?:durationMs|begun|command)": .*/g, '');
    expect(timeless('one.json')).toBe(timeless('two.json'));
  });

  it('ends early at Ctrl-C, and reports what it has', async () => {
    const { code, stdout, stderr } = await interrupted(
      ['--runs', '1000000', '--reporter', 'pretty', '--reporter', 'junit=x.xml'],
      1000,
      { cwd: folder.path },
    );
    expect(code).toBe(130);
    expect(stdout).toMatch(/Interrupted[^]*\nRules {2}/);
    expect(stderr).toMatch(/^interrupted: [^\n]*\n$/);
    expect(read('x.xml')).toContain('</testsuites>');
  });

  it('lists what it would run', async () => {
    const { code, stdout } = await runHere(['--list', '--rule', 'rc-request-ahead']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Properties \(\d+\)[^]*Rules \(1\)\n {2}rc-request-ahead \(must\)/);
  });

  it('takes several rules, and several suites', async () => {
    const rules = ['--rule', 'rc-request-ahead', '--rule', 'ud-drop-qkey'];
    const two = await results('two-rules.json', [...rules, '--runs', '120']);
    expect(two.result.rules.map(({ id }) => id).toSorted()).toEqual(['rc-request-ahead', 'ud-drop-qkey']);
    expect(two.result.rules.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(two.code).toBe(0);
    const { stdout } = await runHere(['--list', '--suite', 'uc', '--suite', 'ud']);
    const suites = [...stdout.matchAll(/^ {2}([\w-]+)\/\S+$/gm)].map(([, suite]) => suite);
    expect([...new Set(suites)]).toEqual(['uc', 'ud']);
  });

  it('is inconclusive where a rule that was asked for was never exercised', async () => {
    const args = ['--suite', 'ud', '--rule', 'rc-request-ahead', '--runs', '30'];
    const { code, stderr, result } = await results('unreached.json', args);
    expect(code).toBe(2);
    expect(result.rules).toMatchObject([{ id: 'rc-request-ahead', verdict: 'vacuous' }]);
    expect(stderr).toMatch(/^rule rc-request-ahead was asked for and never exercised.*of suite rc-responder/);
    expect((await runHere(['report', 'unreached.json'], { cwd: folder.path })).code).toBe(2);
  });

  it('is inconclusive where the device said that it has failed for good, and says in how many cases', async () => {
    const args = ['--adapter', 'reference:sound=device-fatal', '--suite', 'rc-responder', '--runs', '60'];
    const { code, result } = await results('fatal.json', args);
    expect(code).toBe(2);
    expect(result.failures).toEqual([]);
    expect(result.endedByDevice).toBeGreaterThan(5);
    expect(result.endedByDevice).toBeLessThanOrEqual(60);
    const told = `The device ended ${result.endedByDevice} cases early, of 60, by IBV_EVENT_DEVICE_FATAL.`;
    for (const reporter of ['pretty', 'markdown', 'html']) {
      const { code: again, stdout } = await runHere(['report', 'fatal.json', '--reporter', reporter], {
        cwd: folder.path,
      });
      expect(again).toBe(2);
      expect(stdout.replaceAll(/\s+/g, ' ').replaceAll('\\', '')).toContain(told);
    }
  });

  it('is inconclusive where the device cannot try what would reach the rule', async () => {
    const wireless = ['--adapter', 'reference:wire=none', '--rule', 'rc-request-ahead', '--runs', '30'];
    const { code, stderr } = await runHere(wireless, { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toMatch(/never exercised.*: this device cannot try what aims at it/);
  });
});

describe("an adapter of one's own", () => {
  it.each([
    [planted, 'rc-request-ahead'],
    [swallowed, 'rc-receive-completes'],
  ])('%s breaks %s', async (adapter, rule) => {
    const args = ['--adapter', adapter, '--rule', rule, '--seed', '1', '--runs', '200'];
    const { code, result } = await results('own.json', args);
    expect(code).toBe(1);
    expect(result.rules.find(({ id }) => id === rule)?.verdict).toBe('fail');
    const failure = result.failures.find((candidate) => candidate.rule === rule);
    expect(failure?.reproduced).toEqual({ times: 10, of: 10 });
    expect(failure?.ladder.some((line) => line.guilty === true)).toBe(true);
  });

  it('refuses calls as the package says, though it has loaded classes of its own', async () => {
    const args = ['--adapter', planted, '--suite', 'parameters', '--seed', '1', '--runs', '60'];
    const { result } = await results('refused.json', args, run);
    expect(result.errors).toEqual([]);
    expect(result.rules.find(({ id }) => id === 'qp-modify-without-timeout')?.verdict).toBe('pass');
  });

  it('is replayed from the token and from the case file, there and on the sound device', async () => {
    const { result } = await results('replay.json', [
      '--adapter',
      planted,
      '--seed',
      '1',
      '--rule',
      'rc-request-ahead',
      '--runs',
      '100',
    ]);
    const [failure] = result.failures;
    expect(failure?.caseFile).toMatch(/^\.rdma-conform\/cases\/rc-request-ahead-/);
    for (const operand of [failure?.token ?? '', failure?.caseFile ?? '']) {
      const again = await runHere(['replay', operand, '--adapter', planted], { cwd: folder.path });
      expect(again.code).toBe(1);
      expect(again.stdout).toMatch(/FAIL +rc-request-ahead/);
      expect(again.stdout).toMatch(/^rdma-conform [^\n]* \| one case again \| rules/);
      expect(again.stdout.includes(`case file   ${operand}\n`)).toBe(operand === failure?.caseFile);
      const sound = await runHere(['replay', operand, '--adapter', 'reference'], { cwd: folder.path });
      expect(sound).toMatchObject({ code: 0, stderr: 'rc-request-ahead was not broken this time\n' });
    }
    const step = async (...device: string[]): Promise<number | null> =>
      (await runHere(['replay', failure?.token ?? '', '--bisect', ...device], { cwd: folder.path })).code;
    expect(await step('--adapter', planted)).toBe(1);
    expect(await step('--adapter', 'reference')).toBe(0);
    expect(await step('--adapter', 'stdio:/nowhere')).toBe(125);
    expect(await step('--adapter', './not-in-this-commit.ts')).toBe(125);
    expect(await step()).toBe(128);
    expect(await step('--adapter', 'refrence')).toBe(128);
    expect(await step('--no-such-flag')).toBe(128);
    const typo = await runHere(['replay', 'no-such-case.json', '--bisect'], { cwd: folder.path });
    expect(typo.code).toBe(128);
    expect(typo.stderr).toBe('rdma-conform: "no-such-case.json" is neither a replay token nor a file\n');
    const lost = await runHere(['replay', failure?.token ?? ''], { cwd: folder.path });
    expect(lost.code).toBe(64);
    expect(lost.stderr).toMatch(/found on adapter "planted-fault"; say with --adapter/);
  });

  it('passes where its fault is a known one, and fails where a known one does not show', async () => {
    const entry = (adapter: string): string =>
      `- { rule: rc-request-ahead, adapter: '${adapter}', reason: planted }\n`;
    writeFileSync(join(folder.path, 'known.yaml'), entry(planted) + entry('reference'));
    const args = ['--rule', 'rc-request-ahead', '--seed', '1', '--runs', '100', '--known', 'known.yaml'];
    const known = await runHere([...args, '--adapter', planted], { cwd: folder.path });
    expect(known.code).toBe(0);
    expect(known.stdout).toMatch(/known +rc-request-ahead.*\n +known: planted/);
    const healed = await runHere(args, { cwd: folder.path });
    expect(healed.code).toBe(1);
    expect(healed.stdout).toMatch(/did not show[^\n]*\n {2}rc-request-ahead/);
    const suite = await runHere([...args, '--suite', 'rc-responder'], { cwd: folder.path });
    expect(suite.code).toBe(0);
  });

  it('has texts for its maintainers, each with its case, also of a single rule and of a single case', async () => {
    const cwd = folder.path;
    const asked = ['--adapter', planted, '--reporter'];
    await runHere(['run', ...asked, 'upstream=few', '--rule', 'rc-request-ahead', '--runs', '60'], { cwd });
    const files = readdirSync(join(cwd, 'few')).toSorted();
    expect(files).toEqual(['01-rc-request-ahead.json', '01-rc-request-ahead.txt']);
    await runHere(['replay', 'few/01-rc-request-ahead.json', ...asked, 'upstream=one'], { cwd });
    expect(readdirSync(join(cwd, 'one')).toSorted()).toEqual(files);
    for (const folderOf of ['few', 'one'])
      expect(read(join(folderOf, '01-rc-request-ahead.txt'))).toContain('There is no reproducer in C');
  });

  it('leaves its cases below the working directory', () => {
    expect(existsSync(join(folder.path, '.rdma-conform', 'cases'))).toBe(true);
  });
});
