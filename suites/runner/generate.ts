import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { CaseError } from '../case/index.ts';
import { inTurn, Turn, type Cell } from '../grid.ts';
import { hashOf } from '../hash.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import { sendsLonger } from './fits.ts';

/** A generated scenario that knows its simpler neighbours, simplest first. */
export interface Generated {
  scenario: Scenario;
  simpler(): IterableIterator<Generated>;
  /** cells of the property's grids that it took, where it has a turn */
  cells?: readonly Cell[];
}

/** A case that asks too much of a device is drawn anew so many times, and then asks nothing. */
const attempts = 20;

/** Keeps fast-check's shrink tree reachable outside of its own runner, which shrinks one candidate at a time. */
class Shrinkable extends fc.Arbitrary<Generated> {
  private readonly inner: fc.Arbitrary<Scenario>;
  private readonly profile: Profile;
  private readonly beyondLimits: boolean;
  private readonly turns: Iterator<Turn, undefined>;
  constructor(
    inner: fc.Arbitrary<Scenario>,
    profile: Profile,
    { beyondLimits }: Pick<SuiteProperty, 'beyondLimits'>,
    turns: Iterator<Turn, undefined>,
  ) {
    super();
    this.beyondLimits = beyondLimits === true;
    this.inner = inner;
    this.profile = profile;
    this.turns = turns;
  }
  generate(random: fc.Random, bias: number | undefined): fc.Value<Generated> {
    const turn = this.turns.next().value;
    const value = inTurn(turn, () => this.inner.generate(random, bias));
    if (this.asksTooMuch(value.value)) return new fc.Value(this.shorter(random, bias), undefined);
    const generated = this.wrap(value);
    return new fc.Value(turn === undefined ? generated : { ...generated, cells: turn.taken }, undefined);
  }
  canShrinkWithoutContext(_value: unknown): _value is Generated {
    return false;
  }
  shrink(): fc.Stream<fc.Value<Generated>> {
    return fc.Stream.nil();
  }
  /** By dice alone: the cells of the turn are what asked too much. */
  private shorter(random: fc.Random, bias: number | undefined): Generated {
    let value = this.inner.generate(random, bias);
    for (let n = 1; n < attempts && this.asksTooMuch(value.value); n++)
      value = this.inner.generate(random, bias);
    if (!this.asksTooMuch(value.value)) return this.wrap(value);
    const { beside: _, ...scenario } = value.value;
    return { scenario: { ...scenario, steps: [] }, simpler: () => [][Symbol.iterator]() };
  }
  private asksTooMuch(scenario: Scenario): boolean {
    return !this.beyondLimits && sendsLonger(scenario, this.profile);
  }
  private wrap(value: fc.Value<Scenario>): Generated {
    return {
      scenario: value.value,
      simpler: () => this.inner.shrink(value.value, value.context).map((simpler) => this.wrap(simpler)),
    };
  }
}

function* turnsFrom({ grids = [] }: SuiteProperty, first: number | undefined): Generator<Turn, undefined> {
  if (first === undefined) return undefined;
  for (let number = first; ; number++) yield new Turn(number, grids);
}

/**
 * Scenarios of one chunk: a function of property, seed, chunk number and turn alone. `turn`: which cells of the property's grids the first
 * one takes, from 0; where it is left out, all are by dice. Throws an Error that names the property where it makes none.
 */
export function generateChunk(
  property: SuiteProperty,
  profile: Profile,
  seed: number,
  chunk: number,
  count: number,
  turn?: number,
): Generated[] {
  const numbers = { seed: hashOf(`${seed}/${property.id}/${chunk}`) | 0, numRuns: count };
  try {
    const arbitrary = new Shrinkable(
      arbitraryOf(property, profile),
      profile,
      property,
      turnsFrom(property, turn),
    );
    return fc.sample(arbitrary, numbers);
  } catch (error) {
    if (error instanceof CaseError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`property ${property.id} makes no scenario: ${why}`, { cause: error });
  }
}

const made = new WeakMap<SuiteProperty, { profile: Profile; arbitrary: fc.Arbitrary<Scenario> }>();

function arbitraryOf(property: SuiteProperty, profile: Profile): fc.Arbitrary<Scenario> {
  const before = made.get(property);
  if (before?.profile === profile) return before.arbitrary;
  const arbitrary = property.arbitrary(profile);
  made.set(property, { profile, arbitrary });
  return arbitrary;
}
