import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Coverage } from '../../cli/coverage/coverage.ts';
import { coverageSnapshots } from '../../cli/coverage/snapshot.ts';
import { validator } from '../../oracle/compile/shape.ts';
import { readProjectFile } from '../project/files.ts';
import { run, runHere, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

async function covered(
  ...args: string[]
): Promise<{ code: number | null; coverage: Coverage; stderr: string }> {
  const { code, stdout, stderr } = await runHere(['coverage', '--format', 'json', ...args], {
    cwd: folder.path,
  });
  return { code, coverage: JSON.parse(stdout) as Coverage, stderr };
}

describe('the snapshots of the coverage', () => {
  it.each(Object.entries(coverageSnapshots()))('%s is up to date (npm run generate)', (name, text) => {
    expect(readProjectFile(name)).toBe(text);
  });
});

describe('the command', () => {
  it('tells of all 727 statements, in a form that fits the schema', async () => {
    const { code, coverage, stderr } = await covered();
    expect([code, stderr]).toEqual([0, '']);
    const valid = validator(
      JSON.parse(readProjectFile('spec/schema/coverage.schema.json')) as Record<string, unknown>,
    );
    expect(valid(coverage), JSON.stringify(valid.errors)).toBe(true);
    expect(coverage.statements).toHaveLength(727);
    expect(coverage).toMatchObject({ kills: 'declared' });
    expect(coverage.documents.map(({ prefix }) => prefix).toSorted()).toEqual([
      'cc',
      'ee',
      'man',
      'ooo',
      'rc',
      'rx',
    ]);
    expect(coverage.statements.find(({ id }) => id === 'rx-psn-nak-carries-epsn')).toMatchObject({
      document: 'retransmission',
      section: '2.2.3 (2)',
      status: 'proved',
      rules: expect.arrayContaining(['rc-request-ahead']),
      mutants: expect.arrayContaining(['nak-psn-of-request']),
    });
  });

  it('takes a document, or the prefix of one', async () => {
    const { coverage } = await covered('--doc', 'retransmission');
    expect(coverage.statements).toHaveLength(251);
    expect(Object.values(coverage.counts).reduce((a, b) => a + b)).toBe(251);
    const { coverage: part } = await covered('--doc', 'rc');
    expect(part.statements).toHaveLength(96);
    expect(part.documents.map(({ prefix }) => prefix)).toEqual(['rc']);
  });

  it('lists what is asked for, at any width', async () => {
    for (const columns of ['80', '160']) {
      const { stdout } = await run(['coverage', '--doc', 'retransmission', '--status', 'excused'], {
        env: { COLUMNS: columns },
      });
      expect(stdout).toMatch(/excused +rx-rd-timeout-kept-in-eec/);
      expect(stdout).not.toMatch(/rx-psn-nak-carries-epsn/);
      expect(stdout.split('\n').filter((line) => line.length > Number(columns))).toEqual([]);
    }
  });

  it('fails with --check where something is open', async () => {
    const { code, coverage } = await covered('--doc', 'ooo', '--check');
    expect(code).toBe(coverage.counts.open > 0 ? 1 : 0);
    expect((await covered('--doc', 'ooo')).code).toBe(0);
  });

  it('takes what a run exercised, and says so where rules were not', async () => {
    const file = join(folder.path, 'run.json');
    await runHere(['run', '--runs', '40', '--suite', 'rc-responder', '--reporter', `json=${file}`]);
    const { coverage, stderr } = await covered('--results', file);
    expect(stderr).toBe('');
    expect(coverage.run?.adapter).toBe('reference');
    const rule = coverage.rules.find(({ id }) => id === 'rc-write-complete-asked');
    expect(rule?.exercised).toBeGreaterThan(0);
    expect(coverage.counts.unexercised).toBeGreaterThan(0);
    const { stdout } = await runHere(['coverage', '--results', file, '--status', 'open']);
    expect(stdout).toMatch(/Says nothing about \d+ statements of 727, however long it runs on reference/);
    expect(stdout).toMatch(/\d+ +bind the switch of the suites \(model\)/);
    const judging = new Set(
      coverage.rules
        .filter(({ status: of }) => ['proved', 'unproved', 'free'].includes(of))
        .map(({ id }) => id),
    );
    for (const { status, rules } of coverage.statements.filter((s) => s.status === 'unexercised')) {
      const counts = coverage.rules
        .filter(({ id, verdict }) => rules.includes(id) && judging.has(id) && verdict !== 'unsupported')
        .map(({ exercised }) => exercised ?? 0);
      expect(Math.max(...counts), status).toBe(0);
    }
  });

  it('counts only mutants that were seen to die, where it is told', async () => {
    const { stdout } = await runHere([
      'mutants',
      '--format',
      'json',
      '--mutant',
      'nak-psn-of-request',
      '--runs',
      '400',
    ]);
    const file = join(folder.path, 'mutants.json');
    writeFileSync(file, stdout);
    const { coverage } = await covered('--mutants', file);
    expect(coverage.kills).toBe('seen');
    expect(coverage.rules.filter(({ status }) => status === 'proved').map(({ id }) => id)).toEqual([
      'rc-request-ahead',
    ]);
    writeFileSync(file, stdout.replace(/"spec": "\w+"/, '"spec": "0123456789ab"'));
    expect((await covered('--mutants', file)).stderr).toMatch(/mutants\.json was made with other rules/);
  });

  it.each([
    [['--doc', 'retransmision'], /unknown document "retransmision"; did you mean "retransmission"\?/],
    [['--status', 'opne'], /unknown status "opne"; did you mean "open"\?/],
    [['--results', 'nowhere.json'], /nowhere\.json cannot be read/],
    [
      ['--results', join(import.meta.dirname, '..', '..', 'package.json')],
      /package\.json is not what --results takes/,
    ],
  ])('%j is a mistake of usage', async (args, message) => {
    const { code, stdout, stderr } = await runHere(['coverage', ...args]);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(message);
  });
});
