import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convergence, tenGigabit, withoutControl, type Contender } from '../../../bench/convergence.ts';
import { fairness, figure, run, type Experiment, type Outcome } from '../../../bench/figure.ts';
import { dcqcnProfile } from '../../../spec/dcqcn.ts';

const total = (shares: readonly number[]): number => shares.reduce((a, b) => a + b, 0);

describe('the figure of congestion spreading', () => {
  // the rates that the first cuts leave take 8 ms to grow back
  const measure = { ...figure, parameters: dcqcnProfile('paper'), warmUp: 10, measured: 3 };
  const outcomes = new Map<string, Promise<Outcome>>();
  const outcomeOf = (name: 'alone' | 'controlled'): Promise<Outcome> => {
    const outcome = outcomes.get(name) ?? run({ ...measure, control: name === 'controlled' });
    outcomes.set(name, outcome);
    return outcome;
  };
  const culprits = ({ throughput }: Outcome): number[] => throughput.slice(0, -1);
  const victim = ({ throughput }: Outcome): number => throughput.at(-1) ?? Number.NaN;

  it('with flow control alone holds back a flow that does not touch the congested port', async () => {
    const outcome = await outcomeOf('alone');
    expect(outcome.pauses).toBeGreaterThan(0);
    expect(total(culprits(outcome))).toBeGreaterThan(0.97);
    // offered: 0.8
    expect(victim(outcome)).toBeLessThan(0.25);
  });

  it('with congestion control pauses nobody, and lets that flow have what it offers', async () => {
    const outcome = await outcomeOf('controlled');
    expect(victim(outcome)).toBeGreaterThan(0.75);
    expect(outcome.pauses).toBe(0);
  });

  it('with congestion control does not hurt the flows that are slowed down: their port stays busy', async () => {
    const outcome = await outcomeOf('controlled');
    expect(total(culprits(outcome))).toBeGreaterThan(0.9);
    expect(fairness(culprits(outcome))).toBeGreaterThan(0.95);
  });

  it('with congestion control has a shorter queue', async () => {
    const long = await outcomeOf('alone');
    const short = await outcomeOf('controlled');
    expect(short.queueMean).toBeLessThan(long.queueMean / 3);
    expect(short.queueMost).toBeLessThan(long.queueMost);
    // the upper threshold of the marking curve
    expect(short.queueMean).toBeLessThan(200_000);
  });
});

describe('flows to one port', () => {
  /** Shares of the second half of the measurement, when what they began with should be forgotten. */
  const late = ({ spans }: Outcome): number[] => {
    const half = spans.slice(spans.length / 2);
    return (half[0] ?? []).map((_, flow) => total(half.map((shares) => shares[flow] ?? 0)) / half.length);
  };
  const fair = 0.95;
  const busy = 0.9;
  const settings = { control: true, parameters: tenGigabit, measured: 36, spans: 18 } as const;

  const contender = (joins: number): fc.Arbitrary<Contender> =>
    fc.record(
      { joins: fc.constantFrom(joins, joins / 2), firstRate: fc.constantFrom(0.02, 0.1, 0.4, 0.9) },
      { requiredKeys: ['joins'] },
    );
  const parameters = fc
    .record({
      g: fc.constantFrom(1 / 256, 1 / 32),
      activeIncrease: fc.constantFrom(20e6, 30e6),
      hyperIncrease: fc.constantFrom(60e6, 100e6),
    })
    .map((chosen) => ({ ...tenGigabit, dcqcn: { ...tenGigabit.dcqcn, ...chosen } }));
  const incast = fc.record({
    near: fc.array(contender(0), { minLength: 1, maxLength: 3 }),
    far: fc.array(contender(5), { minLength: 2, maxLength: 4 }),
    parameters,
  });

  it('come to fair shares, however many they are, whenever they begin and at whatever rate', async () => {
    await fc.assert(
      fc.asyncProperty(incast, async ({ near, far, parameters: chosen }) => {
        const outcome = await run(convergence(near, far, { ...settings, parameters: chosen }));
        const [first = []] = outcome.spans;
        const shares = late(outcome);
        // some have not begun
        expect(fairness(first)).toBeLessThan(0.8);
        expect(fairness(shares)).toBeGreaterThan(fair);
        expect(total(shares)).toBeGreaterThan(busy);
      }),
      { numRuns: 4, seed: 1 },
    );
  });

  it('do not with flow control alone: the far ones share what one near one has', async () => {
    await fc.assert(
      fc.asyncProperty(incast, async ({ near, far }) => {
        const experiment = convergence(near, far, { ...settings, control: false, measured: 12, spans: 4 });
        const shares = late(await run(experiment));
        const expected = withoutControl(near.length, far.length);
        expect(fairness(expected)).toBeLessThan(fair - 0.02);
        expect(Math.abs(fairness(shares) - fairness(expected))).toBeLessThan(0.02);
      }),
      { numRuns: 3, seed: 1 },
    );
  });

  const broken: readonly NonNullable<Experiment['mutant']>[] = [
    'cnp-without-effect',
    'cut-missing',
    'cut-raises-rate',
    'rate-not-heeded',
    'recovery-endless',
    'timer-never-increases',
  ];
  it.each(broken)('do not where control is broken: %s', async (mutant) => {
    const begin = { joins: 0 };
    const experiment = convergence([begin], [begin, begin, begin], { ...settings, measured: 24, mutant });
    const shares = late(await run(experiment));
    expect(fairness(shares) > fair && total(shares) > busy).toBe(false);
  });
});
