import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { judgedMixes, MixedCases } from '../../scripts/mixed/cases.ts';
import { Executor } from '../../suites/index.ts';

/** `npm run mixed` tries as many as one likes. */
const tried = 300;

async function outcomes(seed: number, mutant?: string): Promise<{ cases: number; broken: string[] }> {
  const adapter = referenceAdapter(mutant === undefined ? {} : { mutant });
  const executor = await Executor.open(adapter, loadRules(), {});
  const mixes = new MixedCases(executor.profile, { seed, each: 2 });
  const broken: string[] = [];
  let cases = 0;
  for await (const { violations } of judgedMixes(executor, mixes, tried)) {
    cases++;
    broken.push(...violations.map(({ rule }) => rule));
  }
  await executor.close();
  return { cases, broken };
}

describe('cases that are made of two properties', () => {
  it('are nearly all cases, and break no rule on a conformant device', async () => {
    const { cases, broken } = await outcomes(1);
    expect(broken).toEqual([]);
    expect(cases).toBeGreaterThan(0.9 * tried);
  });

  it('break rules on a broken one', async () => {
    const { broken } = await outcomes(1, 'psn-skipped');
    expect(broken.length).toBeGreaterThan(0);
  });

  it('are the same for the same seed, and others for another', async () => {
    const profile = await referenceAdapter().describe();
    const first = (seed: number): unknown[] => {
      const mixes = new MixedCases(profile, { seed, each: 1 });
      return Array.from({ length: 5 }, () => mixes.next());
    };
    expect(first(1)).toEqual(first(1));
    expect(first(1)).not.toEqual(first(2));
  });
});
