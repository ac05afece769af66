import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../../adapters/reference/index.ts';
import { loadRules, type TraceEvent } from '../../../../oracle/index.ts';
import { CaseStore } from '../../../../suites/case/index.ts';
import { properties, type Scenario } from '../../../../suites/index.ts';
import { evidenceFor } from '../../../../suites/runner/evidence.ts';
import { Executor } from '../../../../suites/runner/executor.ts';
import { generateChunk } from '../../../../suites/runner/generate.ts';
import { guessesOf, upToFault } from '../../../../suites/runner/shrinking/guesses.ts';
import { shrink } from '../../../../suites/runner/shrinking/shrink.ts';
import { Tally, type Found } from '../../../../suites/runner/tally.ts';
import type { Step } from '../../../../suites/scenario.ts';
import { drive } from '../../drive.ts';
import { profile } from '../../profile.ts';

const property = properties.find(({ id }) => id === 'rc-responder/psn-walk');
if (property === undefined) throw new Error('the property is gone');
const cases = generateChunk(property, profile, 3, 0, 200);

/** A scenario of so many steps that nothing but their number tells apart. */
function numbered(count: number): Scenario {
  const [first] = cases;
  if (first === undefined) throw new Error('nothing was generated');
  const steps = Array.from({ length: count }, (_, i): Step => ({ do: 'sleep', us: i + 1 }));
  return { ...first.scenario, steps, faults: [], regions: [], ip: 4, mtu: 256, srq: false };
}

const numbersOf = ({ steps }: Scenario): number[] =>
  steps.flatMap((step) => (step.do === 'sleep' ? [step.us] : []));
const at = (t: number): TraceEvent => ({ kind: 'settled', t });

describe('what is likely to show a fault as well', () => {
  it('ends with the step that was under way at the fault', () => {
    const upTo = (event: number, steps?: number[]): number[] | undefined => {
      const seen = { events: [at(5), at(25), at(90)], ...(steps && { steps }) };
      const short = upToFault(numbered(4), { event }, seen);
      return short && numbersOf(short);
    };
    expect(upTo(1, [0, 10, 20, 30])).toEqual([1, 2, 3]);
    expect(upTo(0, [0, 10, 20, 30])).toEqual([1]);
    expect(upTo(2, [0, 10, 20, 30])).toBeUndefined();
    expect(upTo(1)).toBeUndefined();
    const beside = { order: [], members: [] };
    expect(upToFault({ ...numbered(4), beside }, { event: 0 }, { events: [at(5)], steps: [0] })).toBe(
      undefined,
    );
  });

  it('is the last few steps in front of it, and all of them', () => {
    const short = { ...numbered(9), steps: numbered(9).steps.slice(0, 4) };
    expect(guessesOf(numbered(9), short).map(numbersOf)).toEqual([[4], [3, 4], [2, 3, 4], [1, 2, 3, 4]]);
    expect(guessesOf(numbered(2), undefined).map(numbersOf)).toEqual([[2]]);
  });

  it('is where many candidates at a time begin', async () => {
    const whole = numbered(20);
    const short = { ...whole, steps: whole.steps.slice(0, 12) };
    const tried = async (guesses: readonly Scenario[]): Promise<number> => {
      let calls = 0;
      const { scenario } = await shrink(
        { scenario: whole, simpler: () => [][Symbol.iterator]() },
        profile,
        (s) => {
          calls++;
          return Promise.resolve([11, 12].every((n) => numbersOf(s).includes(n)));
        },
        { tries: 1000, parallel: 16, stop: () => false },
        guesses,
      );
      expect(numbersOf(scenario)).toEqual([11, 12]);
      return calls;
    };
    expect(await tried(guessesOf(whole, short))).toBeLessThan(await tried([]));
  });

  it('needs the time at which each step began, which a run of one scenario gives', async () => {
    const [walk] = cases;
    if (walk === undefined) throw new Error('nothing was generated');
    const { steps = [], events } = await drive(walk.scenario);
    expect(steps).toHaveLength(walk.scenario.steps.length);
    expect(steps.toSorted((a, b) => a - b)).toEqual(steps);
    expect(steps.at(-1)).toBeLessThanOrEqual(events.at(-1)?.t ?? 0);
  });
});

describe('a finding that was not made smaller', () => {
  it('is shown by the steps up to it where they show it', async () => {
    const executor = await Executor.open(referenceAdapter({ mutant: 'nak-psn-of-request' }), loadRules(), {});
    try {
      const found = await seen(executor);
      const rule = loadRules().rule(found.rule);
      if (rule === undefined || found.upToFault === undefined) throw new Error('nothing to cut');
      const evidence = async (one: Found, whole: boolean): Promise<unknown> => {
        const cases = new CaseStore(undefined);
        const made = await evidenceFor(
          one,
          rule,
          { scenario: one.generated.scenario, whole },
          { executor, adapter: 'x', confirmations: 2, known: undefined, cases },
        );
        return 'failure' in made ? made.failure : made;
      };
      expect(await evidence(found, false)).toMatchObject({ scenario: found.upToFault, unshrunk: true });
      const untouched = await evidence(found, true);
      expect(untouched).toMatchObject({ scenario: found.generated.scenario });
      expect(untouched).not.toHaveProperty('unshrunk');
      const useless = { ...found, upToFault: numbered(2) };
      expect(await evidence(useless, false)).toMatchObject({ scenario: found.generated.scenario });
    } finally {
      await executor.close();
    }
  });
});

/** A case that shows a finding with steps behind it. */
async function seen(executor: Executor): Promise<Found> {
  const tally = new Tally();
  for (const generated of cases) {
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind !== 'judged') continue;
    const [found] = tally.add('x', generated, outcome, (rule) => rule === 'rc-request-ahead');
    if (found?.upToFault !== undefined) return found;
    tally.found.clear();
  }
  throw new Error('no case has steps behind its fault');
}
