import type { Profile } from '../../adapters/adapter.ts';
import { runsToCover } from '../../suites/runner/budget/covering.ts';
import { schedule } from '../../suites/runner/schedule.ts';
import type { Cell, Grid, SuiteProperty } from '../../suites/index.ts';

/** A grid of a property, and how far runs cover it. */
export interface Covered {
  property: string;
  grid: string;
  cells: number;
  /** default runs, of seeds in a row, after which each cell was tried */
  runs: number;
  /** cells that each of some runs tried */
  tried: number[];
}

/** Cells that a property takes in its first cases of a run. */
function cellsOf(property: SuiteProperty, profile: Profile, seed: number, cases: number): Cell[] {
  const tasks = schedule([property], profile, seed, cases, { i: 1, n: 1 });
  return [...tasks].flatMap(({ generated }) => generated.cells ?? []);
}

/** All grids; `given`: cases that each property had in each of some runs of a seed. */
export function coveredGrids(
  properties: readonly SuiteProperty[],
  profile: Profile,
  seed: number,
  given: readonly ReadonlyMap<string, number>[],
): Covered[] {
  return properties.flatMap((property) => {
    const { id, grids = [] } = property;
    if (grids.length === 0) return [];
    const taken = given.map((cases) => cellsOf(property, profile, seed, cases.get(id) ?? 0));
    const tried = (grid: Grid): number[] =>
      taken.map((all) => new Set(all.filter((cell) => cell.grid === grid).map(({ index }) => index)).size);
    return grids.map((grid) => ({
      property: id,
      grid: grid.name,
      cells: grid.cells(profile).length,
      runs: runsToCover(grid, property, profile),
      tried: tried(grid),
    }));
  });
}
