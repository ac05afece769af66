import fc from 'fast-check';
import type { Profile } from '../adapters/adapter.ts';

/**
 * Values that the cases of a property take one after the other, so that after so many cases each was tried. Where the dice of a
 * property lean to what is most likely to show something, its grids leave nothing out.
 */
export interface Grid<T = unknown> {
  /** what its cells are, in a few words; no other grid of a property has the same */
  name: string;
  /** simplest first; none where the device is tried with what the dice give alone */
  cells(profile: Profile): readonly T[];
  /** of so many cases one takes a cell, and the others are left to dice; default 1: each takes one */
  every?: number;
}

/** A cell that a case took. */
export interface Cell {
  grid: Grid;
  /** place in the grid */
  index: number;
}

/** What a case takes of the grids of its property: a cell of each, by the number of the case. */
export class Turn {
  readonly taken: Cell[] = [];
  private readonly number: number;
  private readonly grids: readonly Grid[];

  /** `number`: of the case, from 0, over all runs */
  constructor(number: number, grids: readonly Grid[]) {
    this.number = number;
    this.grids = grids;
  }

  /** Place of the cell that is next in a grid of so many; `undefined`: this case has had its own, or has none, or the grid is another property's. */
  take(grid: Grid, size: number): number | undefined {
    if (size === 0 || !this.grids.includes(grid) || this.taken.some((cell) => cell.grid === grid))
      return undefined;
    const { every = 1 } = grid;
    if (this.number % every !== 0) return undefined;
    const index = (this.number / every) % size;
    this.taken.push({ grid, index });
    return index;
  }
}

let current: Turn | undefined;

/** Generates with the cells of a turn; without one, by dice alone. */
export function inTurn<T>(turn: Turn | undefined, generate: () => T): T {
  const before = current;
  current = turn;
  try {
    return generate();
  } finally {
    current = before;
  }
}

/** How a value came about, which its simpler neighbours depend on. */
type Origin = { index: number } | { rolled: unknown };

class OnGrid<T, U> extends fc.Arbitrary<T | U> {
  private readonly grid: Grid<T>;
  private readonly cells: readonly T[];
  private readonly dice: fc.Arbitrary<U>;

  constructor(grid: Grid<T>, profile: Profile, dice: fc.Arbitrary<U>) {
    super();
    this.grid = grid;
    this.cells = grid.cells(profile);
    this.dice = dice;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<T | U> {
    // rolled in any case: what else a case has does not depend on whether there is a turn
    const rolled = this.dice.generate(random, bias);
    const index = current?.take(this.grid, this.cells.length);
    return index === undefined ? this.ofDice(rolled) : this.ofCell(index);
  }

  canShrinkWithoutContext(_value: unknown): _value is T | U {
    return false;
  }

  shrink(value: T | U, origin: unknown): fc.Stream<fc.Value<T | U>> {
    const { index, rolled } = origin as { index?: number; rolled?: unknown };
    if (index === undefined)
      return this.dice.shrink(value as U, rolled).map((simpler) => this.ofDice(simpler));
    const halves: number[] = [];
    for (let by = index; by > 0; by = Math.floor(by / 2)) halves.push(index - by);
    return fc.stream(halves[Symbol.iterator]()).map((simpler) => this.ofCell(simpler));
  }

  private ofCell(index: number): fc.Value<T | U> {
    const origin: Origin = { index };
    return new fc.Value<T | U>(this.cells[index] as T, origin);
  }

  private ofDice(rolled: fc.Value<U>): fc.Value<T | U> {
    const origin: Origin = { rolled: rolled.context };
    return new fc.Value<T | U>(rolled.value, origin);
  }
}

/**
 * The cell of a grid whose turn it is; where there is none, what the dice give: for another property than the grid's, for a second
 * value in one case, and where a test runner draws by itself. A cell shrinks to those in front of it.
 */
export function onGrid<T, U>(grid: Grid<T>, profile: Profile, dice: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return new OnGrid(grid, profile, dice);
}

/** The cell of a grid whose turn it is, or `undefined`, where there is none. */
export function cellOf<T>(grid: Grid<T>, profile: Profile): fc.Arbitrary<T | undefined> {
  return onGrid(grid, profile, fc.constant(undefined));
}

/** A cell of a grid: the one whose turn it is, or else any. The grid has cells for each device that its property is for. */
export function anyCell<T>(grid: Grid<T>, profile: Profile): fc.Arbitrary<T> {
  return onGrid(grid, profile, fc.constantFrom(...grid.cells(profile)));
}

/** Whole numbers of a range, both ends included. */
export function range(min: number, max: number): number[] {
  return Array.from({ length: max - min + 1 }, (_, i) => min + i);
}

/** Every pair of one of each. */
export function pairs<A, B>(all: readonly A[], others: readonly B[]): [A, B][] {
  return all.flatMap((one) => others.map((other): [A, B] => [one, other]));
}

/** All of them in rows of `each`, the last one as long as it comes out. */
export function inRows<T>(all: readonly T[], each: number): T[][] {
  return range(0, Math.ceil(all.length / each) - 1).map((row) => all.slice(row * each, (row + 1) * each));
}
