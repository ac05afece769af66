import fc from 'fast-check';
import type { Profile } from '../adapters/adapter.ts';
import { hashOf } from './hash.ts';
import type { SuiteProperty } from './property.ts';
import { hindrance } from './runner/hindrance.ts';
import type { Scenario } from './scenario.ts';

/** Rank of a property in a draw, 32 bits: its hash, mixed by the last step of MurmurHash3. */
function rank(draw: number, id: string): number {
  let hash = hashOf(id, draw);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Cases of some properties, as far as a device of this profile can be tried with them; each property is as likely as another. The
 * property that ranks first in a draw has it, so that one more takes its own share of the draws and leaves the others as they were.
 */
export function drawnOf(properties: readonly SuiteProperty[], profile: Profile): fc.Arbitrary<Scenario> {
  const able = properties.filter((property) => hindrance(property, profile) === undefined);
  // where none can be tried, neither can what is made of them
  const chosen = able.length > 0 ? able : properties;
  const made = new Map<string, fc.Arbitrary<Scenario>>();
  const casesOf = (property: SuiteProperty): fc.Arbitrary<Scenario> => {
    const cases = made.get(property.id) ?? property.arbitrary(profile);
    made.set(property.id, cases);
    return cases;
  };
  return fc.noBias(fc.noShrink(fc.nat())).chain((draw) => {
    const first = chosen.reduce((best, one) => (rank(draw, one.id) > rank(draw, best.id) ? one : best));
    return casesOf(first);
  });
}
