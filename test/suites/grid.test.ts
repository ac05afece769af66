import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../adapters/adapter.ts';
import { loadRules } from '../../oracle/index.ts';
import { cellOf, onGrid, pairs, range, type Grid } from '../../suites/grid.ts';
import { generateChunk, properties, type Generated, type SuiteProperty } from '../../suites/index.ts';
import { casesAtLeast, runsToCover } from '../../suites/runner/budget/covering.ts';
import { runsOf } from '../../suites/runner/budget/presets.ts';
import { Rows } from '../../suites/runner/budget/rows.ts';
import { Spending } from '../../suites/runner/budget/spending.ts';
import { schedule } from '../../suites/runner/schedule.ts';
import type { Scenario } from '../../suites/index.ts';
import { profile } from './profile.ts';

const whole = { i: 1, n: 1 };
const real: Profile = { ...profile, clock: 'real', responseTime: 50_000_000 };

const [some] = properties;
if (some === undefined) throw new Error('no properties');
const base = generateChunk(some, profile, 1, 0, 1).map(({ scenario }) => scenario);
const [plain] = base;
if (plain === undefined) throw new Error('no scenario');

const ten: Grid<number> = { name: 'ten', cells: () => range(0, 9) };

/** A property whose scenarios tell the number that they drew by their first PSN. */
function telling(number: fc.Arbitrary<number>, grids: readonly Grid[] = [ten]): SuiteProperty {
  const arbitrary = (): fc.Arbitrary<Scenario> =>
    number.map((startPsn) => ({ ...plain!, requester: { ...plain!.requester, startPsn } }));
  return { id: 'a/b', suite: 'a', says: '', arbitrary, grids };
}
const told = ({ scenario }: Generated): number => scenario.requester.startPsn;
const dice = fc.integer({ min: 100, max: 0xffffff });
const onTen = telling(onGrid(ten, profile, dice));

/** Cells of a grid that so many default runs leave out, each with no more cases than the property gets in any. */
function leftOut(grid: Grid, property: SuiteProperty, on: Profile, runs: number, first = 1): number[] {
  const taken = new Set<number>();
  for (const seed of range(first, first + runs - 1))
    for (const { generated } of schedule([property], on, seed, casesAtLeast(on, property), whole))
      for (const cell of generated.cells ?? []) if (cell.grid === grid) taken.add(cell.index);
  return range(0, grid.cells(on).length - 1).filter((index) => !taken.has(index));
}

const onGrids = properties.flatMap((property) => (property.grids ?? []).map((grid) => ({ property, grid })));

describe('the grids of the properties', () => {
  it.each(onGrids.map(({ property, grid }) => [`${property.id}: ${grid.name}`, property, grid] as const))(
    '%s is covered after the stated number of default runs',
    (_, property, grid) => {
      for (const on of [profile, real]) {
        const runs = runsToCover(grid, property, on);
        expect(leftOut(grid, property, on, runs, 5)).toEqual([]);
        // and after no fewer, so that the stated number is right
        const { every = 1 } = grid;
        const fewer =
          runs > 1 && (runs - 1) * casesAtLeast(on, property) <= (grid.cells(on).length - 1) * every;
        expect(!fewer || leftOut(grid, property, on, runs - 1, 5).length > 0).toBe(true);
      }
    },
  );

  it('are none of what a device cannot be tried with', () => {
    const small: Profile = {
      ...profile,
      capabilities: ['rc'],
      limits: { ...profile.limits, maxDestRdAtomic: 2 },
    };
    const sizes = onGrids.map(({ grid }) => [grid.cells(profile).length, grid.cells(small).length] as const);
    expect(sizes.filter(([all, few]) => few > all || few === 0)).toEqual([]);
    expect(sizes.filter(([all, few]) => few < all).length).toBeGreaterThan(4);
  });

  it('have names of their own', () => {
    const names = onGrids.map(({ property, grid }) => `${property.id} ${grid.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(15);
  });

  it('are shown by the values that scenarios have', () => {
    const codes = new Set<number>();
    const property = properties.find(({ id }) => id === 'parameters/rnr-timer-in-nak');
    if (property === undefined) throw new Error('no such property');
    for (const seed of range(1, 5))
      for (const { generated } of schedule([property], profile, seed, 7, whole))
        for (const step of generated.scenario.steps)
          if (step.do === 'modify_qp' && step.attr?.sq_psn === undefined)
            codes.add(step.attr?.min_rnr_timer ?? -1);
    codes.delete(-1);
    expect([...codes].toSorted((a, b) => a - b)).toEqual(range(0, 31));
  });
});

describe('a grid', () => {
  const drawn = (seed: number, cases: number): number[] =>
    [...schedule([onTen], profile, seed, cases, whole)].map(({ generated }) => told(generated));

  it('gives its cells one after the other, and goes on where the run of the seed before had to end', () => {
    expect(drawn(0, 12)).toEqual([...range(0, 9), 0, 1]);
    expect(drawn(1, 4)).toEqual([7, 8, 9, 0]);
    expect(drawn(0xffffffff, 1)).toEqual([(0xffffffff * 7) % 10]);
  });

  it('is seen not to be covered where cases leave cells out', () => {
    const skips = telling(fc.boolean().chain((take) => (take ? onGrid(ten, profile, dice) : dice)));
    expect(leftOut(ten, skips, profile, runsToCover(ten, skips, profile))).not.toEqual([]);
    expect(leftOut(ten, onTen, profile, 1)).toHaveLength(3);
    expect(leftOut(ten, telling(dice), profile, 20)).toHaveLength(10);
  });

  it('is shared out among shards', () => {
    const parts = [1, 2, 3].flatMap((i) => [...schedule([onTen], profile, 4, 20, { i, n: 3 })]);
    const values = parts.map(({ generated }) => told(generated));
    expect(values.toSorted((a, b) => a - b)).toEqual(drawn(4, 20).toSorted((a, b) => a - b));
  });

  it('does not depend on how many cases are generated together', () => {
    const together = [...schedule([onTen], profile, 2, 20, whole, undefined, 20)];
    expect(together.map(({ generated }) => told(generated))).toEqual(drawn(2, 20));
  });

  it('leaves the rest of a case as dice alone make it', () => {
    const beside = (grids: readonly Grid[]): SuiteProperty => {
      const both = fc.tuple(onGrid(ten, profile, dice), dice);
      const property = telling(
        both.map(([, other]) => other),
        grids,
      );
      return property;
    };
    const others = (turn: number | undefined): number[] =>
      generateChunk(beside([ten]), profile, 3, 0, 5, turn).map(told);
    expect(others(4)).toEqual(others(undefined));
    const free = generateChunk(onTen, profile, 3, 0, 5);
    expect(free.every((one) => told(one) >= 100 && one.cells === undefined)).toBe(true);
    // the same where another property draws from it
    expect(generateChunk(telling(onGrid(ten, profile, dice), []), profile, 3, 0, 5, 0).map(told)).toEqual(
      free.map(told),
    );
  });

  it('gives a case one cell, and dice for what else it draws', () => {
    const two = telling(
      fc.tuple(onGrid(ten, profile, dice), onGrid(ten, profile, dice)).map(([a, b]) => (b < 100 ? 0 : a)),
    );
    expect(generateChunk(two, profile, 3, 0, 3, 5).map(told)).toEqual([5, 6, 7]);
  });

  it('lets a cell shrink to those in front, and dice as they do', () => {
    const [seventh] = generateChunk(onTen, profile, 1, 0, 1, 7);
    const simpler = [...(seventh?.simpler() ?? [])];
    expect(simpler.map(told)).toEqual([0, 4, 6]);
    expect([...(simpler[1]?.simpler() ?? [])].map(told)).toEqual([0, 2, 3]);
    const [rolled] = generateChunk(onTen, profile, 1, 0, 1);
    expect([...(rolled?.simpler() ?? [])].map(told)).toContain(100);
  });

  it('may leave every other case to dice', () => {
    const half: Grid<number> = { ...ten, every: 2 };
    const property = telling(onGrid(half, profile, dice), [half]);
    const values = generateChunk(property, profile, 3, 0, 6, 17).map(told);
    expect(values.map((value) => (value < 100 ? value : 'dice'))).toEqual(['dice', 9, 'dice', 0, 'dice', 1]);
    expect(runsToCover(half, property, profile)).toBe(3);
    expect(leftOut(half, property, profile, 3, 8)).toEqual([]);
  });

  it('has no cell for a device without any', () => {
    const none: Grid<number> = { name: 'none', cells: () => [] };
    const property = telling(
      cellOf(none, profile).map((cell) => cell ?? 77),
      [none],
    );
    expect(generateChunk(property, profile, 1, 0, 2, 0).map(told)).toEqual([77, 77]);
    expect(runsToCover(none, property, profile)).toBe(0);
  });

  it('of pairs has each of one with each of the other', () => {
    expect(pairs([1, 2], ['a', 'b'])).toEqual([
      [1, 'a'],
      [1, 'b'],
      [2, 'a'],
      [2, 'b'],
    ]);
  });
});

describe('a default run', () => {
  const fewest = (chooser: Spending | Rows, on: Profile): number => {
    const given = properties.map(() => 0);
    for (let begun = 0; begun < runsOf({}, on); begun++) {
      const index = chooser.next();
      if (index === undefined) break;
      given[index] = (given[index] ?? 0) + 1;
      if (chooser instanceof Spending) chooser.learn({ index, exercised: [], cost: 50, last: false });
    }
    return Math.min(...properties.map((property, i) => (given[i] ?? 0) / casesAtLeast(on, property)));
  };

  it('gives each property the cases that its grids count on', () => {
    expect(fewest(new Spending(properties, loadRules().rules), profile)).toBeGreaterThanOrEqual(1);
    expect(fewest(new Rows(properties, runsOf({}, real), 20), real)).toBeGreaterThanOrEqual(1);
  });
});
