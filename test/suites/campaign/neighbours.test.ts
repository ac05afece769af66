import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { generateChunk, parseScenario, properties } from '../../../suites/index.ts';
import { neighbours } from '../../../suites/campaign/neighbours.ts';

const profile = await referenceAdapter().describe();
const kept = properties
  .filter(({ suite }) => suite === 'rc-responder' || suite === 'uc')
  .flatMap((property) => generateChunk(property, profile, 1, 0, 2).map(({ scenario }) => scenario));

describe('cases beside those that were kept', () => {
  it('are scenarios, and most differ from all of them', () => {
    const before = new Set(kept.map((scenario) => JSON.stringify(scenario)));
    const made = fc.sample(neighbours(kept, 1).arbitrary(profile), { numRuns: 200, seed: 1 });
    for (const scenario of made)
      expect(() => parseScenario(JSON.parse(JSON.stringify(scenario)))).not.toThrow();
    expect(made.filter((scenario) => !before.has(JSON.stringify(scenario))).length).toBeGreaterThan(100);
  });
});
