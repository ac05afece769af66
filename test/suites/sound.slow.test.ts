import { describe, expect, it } from 'vitest';
import { referenceAdapter, soundIds } from '../../adapters/reference/index.ts';
import { properties, runConformance } from '../../suites/index.ts';
import { loadSound, soundEntries } from '../../suites/mutants/sound.ts';
import { testSeed } from '../seed.ts';

const variants = loadSound();
/** Cases of each property. `npm run sound` tries as many as one likes. */
const each = 1;

// A single way of being sound would hide what the rules forbid without need.
describe('a device that uses the latitude of the spec breaks no rule', () => {
  it.each(variants.map((variant, i) => ({ ...variant, seed: testSeed + i })))('$id', async (variant) => {
    const { id, deviates = [], seed } = variant;
    const adapter = referenceAdapter({ sound: id });
    const runs = properties.length * each;
    const result = await runConformance({ adapter, seed, runs, confirmations: 0 });
    expect(result.errors).toEqual([]);
    const broken = result.rules.filter((rule) => rule.violations > 0);
    expect(broken.map((rule) => rule.id)).toEqual(deviates);
    expect(broken.filter((rule) => rule.level !== 'should')).toEqual([]);
    expect(result.cases).toBeGreaterThan(runs / 2);
  });
});

describe('the sound variants of the package', () => {
  it('are those of the reference NIC, and each does something otherwise', async () => {
    expect(variants.map(({ id }) => id)).toEqual(soundIds);
    for (const id of soundIds) await (await referenceAdapter({ sound: id }).open({})).close();
    expect(() => referenceAdapter({ sound: 'none-such' })).toThrow(RangeError);
    expect(() => referenceAdapter({ sound: 'one-read', mutant: 'icrc-unchecked' })).toThrow(RangeError);
  });

  const entry = '- { id: a, says: Does it., because: It may., statements: [rx-rnr-nak-allowed] }\n';
  it.each([
    [entry + entry, '2:9: "a" is there already'],
    [entry.replace('allowed', 'aloud'), 'unknown statement "rx-rnr-nak-aloud"'],
    [entry.replace('because', 'why'), 'unknown key "why"'],
    ['[', 'spec/sound.yaml:'],
  ])('are refused with their mistakes: %s', (text, message) => {
    expect(soundEntries(entry)).toHaveLength(1);
    expect(() => soundEntries(text)).toThrow(message);
  });
});
