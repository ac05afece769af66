import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/index.ts';
import { openConformance, runConformance, type Scenario, type SuiteProperty } from '../../suites/index.ts';
import { ahead, onResponder } from './ahead.ts';

const qp: Scenario['requester'] = {
  startPsn: 5,
  access: ['IBV_ACCESS_LOCAL_WRITE'],
  maxDestRdAtomic: 1,
  maxRdAtomic: 1,
  minRnrTimer: 12,
  timeout: 14,
  retryCnt: 7,
  rnrRetry: 7,
};

/** A scenario as a program without types may write it. */
function scenarioOf(steps: unknown): Scenario {
  return onResponder(qp, steps as Scenario['steps']);
}

const step = ahead(10);

const mine: SuiteProperty = {
  id: 'mine/two-sends',
  suite: 'mine',
  says: 'Two requests ahead of the expected PSN draw one NAK.',
  aims: ['rc-request-ahead'],
  arbitrary: () => fc.constant(scenarioOf([step, step])),
};

const withSteps = (steps: unknown): SuiteProperty => ({
  ...mine,
  arbitrary: () => fc.constant(scenarioOf(steps)),
});

const adapter = referenceAdapter({ mutant: 'nak-per-packet' });
const run = async (property: unknown): ReturnType<typeof runConformance> =>
  runConformance({ adapter, properties: [property as SuiteProperty], runs: 3 });

describe('a property of a caller', () => {
  it('finds what its scenarios show', async () => {
    const { rules, errors } = await run(mine);
    expect(errors).toEqual([]);
    expect(rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
      'rc-request-ahead-after-sequence-nak',
    ]);
  });

  it.each([
    ['a step by another key', [{ kind: 'inject', packet: step.packet }], /scenario: .*steps\.0/],
    ['a step that nobody knows', [{ ...step, do: 'injekt' }], /scenario: .*steps\.0/],
    [
      'a region that is not there',
      [{ ...step, packet: { ...step.packet, target: { region: 3, offset: 0, length: 10 } } }],
      /scenario: there is no region 3, which steps\.0 names/,
    ],
    ['no steps', undefined, /scenario: .*steps/],
  ])('has a scenario that is none, and passes nothing: %s', async (_, steps, message) => {
    const property = withSteps(steps);
    await expect(run(property)).rejects.toThrow(message);
    await expect(run(property)).rejects.toThrow(/^property mine\/two-sends: /);
    const bench = await openConformance(adapter, { properties: [property] });
    await expect(fc.assert(bench.properties[0]!.property)).rejects.toThrow(message);
    await bench.close();
  });

  it.each([
    [{ ...mine, id: undefined }, 'a property must have an id such as mine/two-sends, not undefined'],
    [{ ...mine, suite: '' }, 'property mine/two-sends: suite must be a word such as mine, not '],
    [{ ...mine, says: undefined }, 'property mine/two-sends: says must be a sentence'],
    [{ ...mine, share: 0 }, 'property mine/two-sends: share must be an integer of 1 or more'],
    [
      { ...mine, aims: ['rc-request-ahed'] },
      'property mine/two-sends: there is no rule "rc-request-ahed"; did you mean "rc-request-ahead"?',
    ],
    [
      { ...mine, requires: ['atomics'] },
      'property mine/two-sends: there is no capability "atomics"; did you mean "atomic"?',
    ],
    [{ ...mine, aims: 'rc-request-ahead' }, 'property mine/two-sends: aims must be an array'],
  ])('has a mistake that is named: %#', async (property, message) => {
    await expect(run(property)).rejects.toThrow(new TypeError(message));
  });

  it.each([
    () => {
      throw new Error('a bug of mine');
    },
    () =>
      fc.constant(1).map((): Scenario => {
        throw new Error('a bug of mine');
      }),
  ])('makes no scenario: the error names it', async (arbitrary) => {
    await expect(run({ ...mine, arbitrary })).rejects.toThrow(
      'property mine/two-sends makes no scenario: a bug of mine',
    );
  });

  it('is not there twice', async () => {
    await expect(runConformance({ adapter, properties: [mine, mine], runs: 1 })).rejects.toThrow(
      'two properties have the id mine/two-sends',
    );
  });
});

it.each([
  [{ suite: 'rc-respnder' }, 'no suite named rc-respnder; did you mean "rc-responder"?'],
  [
    { property: 'rc-responder/psn-wlak' },
    'no property named rc-responder/psn-wlak; did you mean "rc-responder/psn-walk"?',
  ],
  [{ suite: 'ud', property: 'rc-responder/psn-walk' }, 'no property named rc-responder/psn-walk in suite ud'],
])('nothing to try: %o', async (options, message) => {
  await expect(runConformance({ adapter, ...options })).rejects.toThrow(new RangeError(message));
});
