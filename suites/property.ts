import type fc from 'fast-check';
import type { Capability, Profile } from '../adapters/adapter.ts';
import type { Grid } from './grid.ts';
import type { Scenario } from './scenario.ts';

/** A claim about devices, held against scenarios of one kind: whatever happens, no rule is broken. */
export interface SuiteProperty {
  id: string;
  suite: string;
  says: string;
  /** capabilities without which it cannot be tried */
  requires?: readonly Capability[];
  /** QPs that the device must have room for; absent: those of one scenario */
  qps?: number;
  /** cases that it gets for each one of a property that says nothing; a whole number */
  share?: number;
  /** `none`: its scenarios need no wire, since both ends are QPs of the device; the others do */
  wire?: 'none';
  /** it sends the device messages that are longer than its port takes; no other property does, as a device may refuse them */
  beyondLimits?: true;
  /** values that its cases take one after the other, and not by dice */
  grids?: readonly Grid[];
  /** scenarios within the profile's limits */
  arbitrary(profile: Profile): fc.Arbitrary<Scenario>;
  /** rules that it means to reach, most of all */
  aims?: readonly string[];
}
