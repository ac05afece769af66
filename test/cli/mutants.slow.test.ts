import { beforeAll, describe, expect, it } from 'vitest';
import type { MutantsResult } from '../../cli/mutants/results.ts';
import { validator } from '../../oracle/compile/shape.ts';
import { loadRules } from '../../oracle/index.ts';
import { loadMutants } from '../../suites/mutants/index.ts';
import { readProjectFile } from '../project/files.ts';
import { interrupted, run } from './command-line.ts';

const minutes = 60_000;
const mutants = loadMutants(loadRules());

async function hunted(...args: string[]): Promise<{ code: number | null; result: MutantsResult }> {
  const { code, stdout, stderr } = await run(['mutants', '--format', 'json', ...args]);
  // how far it is, where it takes long
  expect(stderr.replaceAll(/^\d+ % \| .*\n/gm, '')).toBe('');
  return { code, result: JSON.parse(stdout) as MutantsResult };
}

describe('every mutant of the reference NIC', () => {
  let code: number | null;
  let result: MutantsResult;
  beforeAll(async () => {
    ({ code, result } = await hunted('--aimed'));
    const { killed } = result.counts;
    console.log(`${killed} mutants killed; median ${result.median} cases, most ${result.most}`);
  }, 10 * minutes);
  const found = (id: string) => result.mutants.find((mutant) => mutant.id === id);

  it.each(mutants.filter(({ notJudged }) => notJudged === undefined))(
    '$id is caught by a rule that it breaks',
    ({ id, rules }) => {
      expect(found(id)).toMatchObject({ verdict: 'killed' });
      expect(rules).toEqual(expect.arrayContaining(found(id)?.broken ?? []));
      expect(found(id)?.broken).not.toEqual([]);
    },
  );

  it.each(mutants.filter(({ notJudged }) => notJudged !== undefined))(
    '$id is not tried: $notJudged',
    ({ id }) => {
      expect(found(id)).toMatchObject({ verdict: 'not-judged', broken: [] });
    },
  );

  it('is counted, in a form that fits the schema', () => {
    const valid = validator(
      JSON.parse(readProjectFile('spec/schema/mutants.schema.json')) as Record<string, unknown>,
    );
    expect(valid(result), JSON.stringify(valid.errors)).toBe(true);
    expect(result.mutants).toHaveLength(mutants.length);
    expect(result.limit).toBe(5000);
    expect(code).toBe(0);
  });

  it('half of them need no more than a hundred cases of the properties that aim at them', () => {
    expect(result.median).toBeLessThan(100);
  });
});

describe('the command', () => {
  it('fails where a mutant survives, and tells what it does', async () => {
    const { code, stdout } = await run(['mutants', '--runs', '3', '--mutant', 'nak-per-packet'], {
      env: { COLUMNS: '120' },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /SURVIVED {2}nak-per-packet +no violation of rc-request-ahead-after-sequence-nak in 3 cases/,
    );
    expect(stdout).toMatch(/Mutants {2}0 killed, 1 SURVIVED\n/);
  });

  it('tries several seeds, and gives the median and the most of them', async () => {
    const { code, result } = await hunted('--seeds', '3', '--seed', '5', '--mutant', 'rnr-silent');
    expect(code).toBe(0);
    const [mutant] = result.mutants;
    expect(mutant?.hunts.map(({ seed }) => seed)).toEqual([5, 6, 7]);
    const cases = mutant?.hunts.map((hunt) => hunt.cases ?? 0).toSorted((a, b) => a - b) ?? [];
    expect([mutant?.median, mutant?.most]).toEqual([cases[1], cases[2]]);
    expect([result.median, result.most]).toEqual([cases[1], cases[2]]);
    expect(mutant?.hunts.every(({ killedBy }) => killedBy === 'rc-receiver-not-ready')).toBe(true);
  });

  it('leaves out mutants that a suite does not reach', async () => {
    const own = ['--mutant', 'icrc-unchecked', '--runs', '200'];
    const { result } = await hunted('--suite', 'parameters', ...own);
    expect(result).toMatchObject({ suite: 'parameters', mutants: [], outOfReach: ['icrc-unchecked'] });
    expect((await hunted('--suite', 'rc-responder', ...own)).result.counts.killed).toBe(1);
  });

  it('ends early at Ctrl-C, and reports what it has', async () => {
    const { code, stdout, stderr } = await interrupted(['mutants', '--seeds', '1000'], 1000);
    expect(code).toBe(130);
    expect(stdout).toMatch(/Interrupted[^]*\nMutants {2}\d+ killed/);
    expect(stderr).toMatch(/^interrupted: [^\n]*\n$/);
  });

  it.each([
    [['--mutant', 'nak-per-paket'], /unknown mutant "nak-per-paket"; did you mean "nak-per-packet"\?/],
    [['--suite', 'rc-respond'], /unknown suite "rc-respond"; did you mean "rc-responder"\?/],
    [['--format', 'yaml'], /unknown format "yaml"/],
    [['--seeds', '0'], /--seeds takes a whole number from 1/],
  ])('%j is a mistake of usage', async (args, message) => {
    const { code, stdout, stderr } = await run(['mutants', ...args]);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(message);
  });
});
