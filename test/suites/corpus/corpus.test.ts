import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cases, caseName, choiceNames, parseCaseName } from '../../../suites/corpus/cases.ts';
import { Draw } from '../../../suites/corpus/random.ts';
import { same } from '../../../suites/corpus/same.ts';
import { viewed } from '../../../suites/corpus/views/index.ts';
import { formatWitnesses, parseWitnesses, type Witness } from '../../../suites/flips/witnesses.ts';
import { properties } from '../../../suites/index.ts';
import * as wire from '../../../wire/index.ts';

const aCase = fc.record({
  device: fc.constantFrom('', 'choice-3', 'nak-msn-zero'),
  property: fc.constantFrom(...properties.map(({ id }) => id)),
  seed: fc.nat(),
  index: fc.nat(),
});

describe('a case of the corpus', () => {
  it('is read back from its name', () => {
    fc.assert(
      fc.property(aCase, (one) => {
        expect(parseCaseName(caseName(one))).toEqual(one);
      }),
    );
  });

  it.each(['rc/1', 'x:y/1/b', ''])('has no name like "%s"', (name) => {
    expect(parseCaseName(name)).toBeUndefined();
  });

  it.each(['', 'nak-msn-zero', ...choiceNames.slice(0, 2)])(
    'comes to the same trace again: "%s"',
    async (device) => {
      const [property] = properties;
      if (property === undefined) throw new Error('there are no properties');
      const one = { device, property: property.id, seed: 1, index: 3 };
      const [first, second] = [
        await new Cases().trace(property, one),
        await new Cases().trace(property, one),
      ];
      expect(first?.events.length).toBeGreaterThan(3);
      expect(same(first?.events, second?.events)).toBe(true);
    },
  );

  it.each(['nudged', 'picked'])(
    'is %s in the same way by the same number, and hardly ever not at all',
    async (view) => {
      const [property] = properties;
      const trace =
        property && (await new Cases().trace(property, { device: '', property: '', seed: 1, index: 0 }));
      if (trace === undefined) throw new Error('there is no trace');
      let changed = 0;
      for (let number = 0; number < 300; number++) {
        const made = viewed(trace, `${view} ${number}`, wire);
        expect(same(made, viewed(trace, `${view} ${number}`, wire))).toBe(true);
        if (made !== undefined && !same(made, trace)) changed++;
        const times = made?.events.map(({ t }) => t) ?? [];
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }
      expect(changed).toBeGreaterThan(200);
    },
  );
});

describe('draws', () => {
  it('stay in their range, and take every value of it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 20 }), (seed, n) => {
        const draw = new Draw(seed);
        const drawn = new Set(Array.from({ length: 400 }, () => draw.below(n)));
        expect(Math.max(...drawn)).toBeLessThan(n);
        expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
        expect(drawn.size).toBeGreaterThan(n / 2);
      }),
    );
  });
});

describe('witnesses of flips', () => {
  const witness = fc.record(
    {
      name: aCase.map(caseName),
      view: fc.constantFrom('slow', 'nudged 17', 'call unseen'),
      shows: fc.uniqueArray(fc.stringMatching(/^[\da-z]{1,7}$/), { minLength: 1 }),
    },
    { requiredKeys: ['name', 'shows'] },
  );
  const sorted = (all: readonly Witness[]): unknown =>
    all
      .map((one) => ({ ...one, shows: one.shows.toSorted() }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

  it('are read back as they were written', () => {
    const selector = ({ name, view }: Witness): string => `${name}, ${view ?? ''}`;
    fc.assert(
      fc.property(fc.uniqueArray(witness, { selector }), (all) => {
        expect(sorted(parseWitnesses(formatWitnesses(all)))).toEqual(sorted(all));
      }),
    );
  });

  it.each([
    ['[1]', /"0" is no name of a case/],
    ['{"a/1/2": 3}', /are no text/],
    ['7', /an object is expected/],
  ])('with a mistake are refused: %s', (text, message) => {
    expect(() => parseWitnesses(text)).toThrow(message);
  });
});
