import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { runConformance } from '../../../suites/index.ts';

describe('a default run', () => {
  it('exercises every MUST rule that the reference NIC can be held to', async () => {
    const { rules: all, cases } = await runConformance({ adapter: referenceAdapter(), seed: 2 });
    expect(cases).toBe(3000);
    const left = all.filter(({ level, verdict }) => level === 'must' && verdict === 'vacuous');
    expect(left.map(({ id }) => id)).toEqual([]);
  }, 400_000);
});
