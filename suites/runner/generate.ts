import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { hashOf } from '../hash.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';

/** A generated scenario that knows its simpler neighbours, simplest first. */
export interface Generated {
  scenario: Scenario;
  simpler(): IterableIterator<Generated>;
}

/** Keeps fast-check's shrink tree reachable outside of its own runner, which shrinks one candidate at a time. */
class Shrinkable extends fc.Arbitrary<Generated> {
  private readonly inner: fc.Arbitrary<Scenario>;
  constructor(inner: fc.Arbitrary<Scenario>) {
    super();
    this.inner = inner;
  }
  generate(random: fc.Random, bias: number | undefined): fc.Value<Generated> {
    return new fc.Value(this.wrap(this.inner.generate(random, bias)), undefined);
  }
  canShrinkWithoutContext(_value: unknown): _value is Generated {
    return false;
  }
  shrink(): fc.Stream<fc.Value<Generated>> {
    return fc.Stream.nil();
  }
  private wrap(value: fc.Value<Scenario>): Generated {
    return {
      scenario: value.value,
      simpler: () => this.inner.shrink(value.value, value.context).map((simpler) => this.wrap(simpler)),
    };
  }
}

/** Scenarios of one chunk: a function of property, seed and chunk number alone. */
export function generateChunk(
  property: SuiteProperty,
  profile: Profile,
  seed: number,
  chunk: number,
  count: number,
): Generated[] {
  const arbitrary = new Shrinkable(arbitraryOf(property, profile));
  return fc.sample(arbitrary, { seed: hashOf(`${seed}/${property.id}/${chunk}`) | 0, numRuns: count });
}

const made = new WeakMap<SuiteProperty, { profile: Profile; arbitrary: fc.Arbitrary<Scenario> }>();

function arbitraryOf(property: SuiteProperty, profile: Profile): fc.Arbitrary<Scenario> {
  const before = made.get(property);
  if (before?.profile === profile) return before.arbitrary;
  const arbitrary = property.arbitrary(profile);
  made.set(property, { profile, arbitrary });
  return arbitrary;
}
