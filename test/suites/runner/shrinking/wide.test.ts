import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersOf } from '../../../../suites/beside.ts';
import { properties, type Scenario } from '../../../../suites/index.ts';
import { generateChunk } from '../../../../suites/runner/generate.ts';
import { combined } from '../../../../suites/runner/shrinking/combine.ts';
import type { Shrunk } from '../../../../suites/runner/shrinking/bounds.ts';
import { shrink } from '../../../../suites/runner/shrinking/shrink.ts';
import type { Step } from '../../../../suites/scenario.ts';
import { profile } from '../../profile.ts';

function generated(id: string): Scenario[] {
  const property = properties.find((p) => p.id === id);
  if (property === undefined) throw new Error('the property is gone');
  return generateChunk(property, profile, 3, 0, 20).map(({ scenario }) => scenario);
}

const [walk] = generated('rc-responder/psn-walk');
if (walk === undefined) throw new Error('nothing was generated');
const plain = walk;

/** A scenario of steps that nothing but their number tells apart. */
function numbered(numbers: readonly number[]): Scenario {
  const steps = numbers.map((us): Step => ({ do: 'sleep', us }));
  return { ...plain, steps, faults: [], regions: [], ip: 4, mtu: 256, srq: false };
}

function numbersOf({ steps }: Scenario): number[] {
  return steps.flatMap((step) => (step.do === 'sleep' ? [step.us] : []));
}

/** Shrinks with so many candidates at a time; `waves`: how often the device was waited for. */
async function wide(
  start: Scenario,
  fails: (scenario: Scenario) => boolean,
  { tries = 1e6, parallel = 16, delay = (): number => 0 } = {},
): Promise<Shrunk & { waves: number; calls: number }> {
  let waves = 0;
  let calls = 0;
  let open = false;
  const run = async (scenario: Scenario): Promise<boolean> => {
    calls++;
    if (!open) {
      open = true;
      waves++;
      setImmediate(() => (open = false));
    }
    for (let turn = delay(); turn >= 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    return fails(scenario);
  };
  const start_ = { scenario: start, simpler: () => [][Symbol.iterator]() };
  const shrunk = await shrink(start_, profile, run, { tries, parallel, stop: () => false });
  return { ...shrunk, waves, calls };
}

describe('shrinking with many candidates at a time', () => {
  const all = Array.from({ length: 24 }, (_, i) => i + 1);

  it('leaves out in few rounds what can be left out', async () => {
    const needs = (s: Scenario): boolean => [3, 17].every((n) => numbersOf(s).includes(n));
    const { scenario, whole, waves } = await wide(numbered(all), needs);
    expect(numbersOf(scenario)).toEqual([3, 17]);
    expect(whole).toBe(true);
    // one by one, each of 22 steps that go would have taken one at least
    expect(waves).toBeLessThan(12);
  });

  it('tries many steps in groups, and once more what is left', async () => {
    const needs = (s: Scenario): boolean => [3, 17].every((n) => numbersOf(s).includes(n));
    const { scenario, calls } = await wide(numbered(all), needs);
    expect(numbersOf(scenario)).toEqual([3, 17]);
    // less than one for each of 24 steps and one for each of two that stay
    expect(calls).toBeLessThan(26);
  });

  it('tries no part of what goes together', async () => {
    const steps = Array.from({ length: 6 }, (): Step => ({ do: 'post_recv', length: 90 }));
    const { calls } = await wide({ ...numbered([]), steps }, (s) => s.steps.length === 6);
    // six steps that stay, six lengths, all of them together, and what is left of it
    expect(calls).toBeLessThan(26);
  });

  it('finds what any subset of steps needs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(all, { minLength: 1, maxLength: 6 }), async (needed) => {
        const { scenario } = await wide(numbered(all), (s) => {
          const left = new Set(numbersOf(s));
          return needed.every((n) => left.has(n));
        });
        expect(numbersOf(scenario)).toEqual(needed);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps one of several steps that are each enough', async () => {
    const { scenario, whole } = await wide(numbered(all), (s) => numbersOf(s).some((n) => n % 8 === 0));
    expect(numbersOf(scenario)).toHaveLength(1);
    expect(whole).toBe(true);
  });

  it('makes values plain, many in one go', async () => {
    const steps = Array.from({ length: 8 }, (): Step => ({ do: 'post_recv', length: 90, sges: 2 }));
    const start: Scenario = { ...numbered([]), steps, ip: 6, mtu: 1024 };
    const { scenario, waves } = await wide(start, (s) => s.steps.length === 8);
    expect(scenario).toMatchObject({ ip: 4, mtu: 256 });
    expect(scenario.steps).toEqual(steps.map(() => ({ do: 'post_recv', length: 8 })));
    expect(waves).toBeLessThan(30);
  });

  it('leaves out scenarios that are beside', async () => {
    const start = generated('device/one-cq').find(({ beside }) => (beside?.members.length ?? 0) > 0);
    if (start === undefined) throw new Error('nothing is beside');
    const { scenario } = await wide(start, (s) => s.steps.length >= 1);
    expect(membersOf(scenario)).toHaveLength(1);
    expect(scenario.steps).toHaveLength(1);
  });

  it('does not depend on which candidate ends first', async () => {
    const needs = (s: Scenario): boolean => numbersOf(s).reduce((sum, n) => sum + n, 0) >= 60;
    let calls = 0;
    const even = await wide(numbered(all), needs);
    const uneven = await wide(numbered(all), needs, { delay: () => ++calls % 4 });
    expect(uneven.scenario).toEqual(even.scenario);
  });

  it('keeps to its number of tries, but for the round under way', async () => {
    const { calls, whole } = await wide(numbered(all), (s) => numbersOf(s).includes(9), {
      tries: 10,
      parallel: 4,
    });
    expect(calls).toBeLessThanOrEqual(13);
    expect(whole).toBe(false);
  });
});

describe('changes put together', () => {
  const base = numbered([1, 2, 3]);

  it('are made all where they are in different places', () => {
    const other = { ...base, steps: base.steps.with(2, { do: 'sleep', us: 9 } as const) };
    expect(combined(base, [{ ...base, ip: 6 }, other])).toEqual({ ...other, ip: 6 });
  });

  it('leave out one that changes what another has changed', () => {
    const fewer = { ...base, steps: base.steps.slice(1) };
    const other = { ...base, steps: base.steps.with(2, { do: 'sleep', us: 9 } as const), ip: 6 as const };
    expect(combined(base, [fewer, other])).toEqual(fewer);
  });

  it('take away and add', () => {
    const added: Scenario = { ...base, cqe: 4 };
    expect(combined(base, [added])).toEqual(added);
    expect(combined(added, [base, { ...added, mtu: 512 }])).toEqual({ ...base, mtu: 512 });
  });
});
