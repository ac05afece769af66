import type { SuiteProperty } from '../../property.ts';
import { arming, srqLimits } from './arming.ts';
import { pathInUse, qkeyInUse, rightsInUse } from './attributes-in-use.ts';
import { farBuffers, farMemory, farTargets } from './far-addresses.ts';
import { malformedReceives, malformedSends } from './malformed-lists.ts';
import { answersElsewhere, otherDestinations } from './other-destinations.ts';
import { unusualAnswers, unusualRequests } from './unusual-headers.ts';
import { windowEnds, windowRights, windowUses } from './windows.ts';

/** What is tried at each of its known corners: addresses, lists, attributes that are set anew, windows, and what arms an event. */
export const corners: readonly SuiteProperty[] = [
  malformedSends,
  malformedReceives,
  farMemory,
  farTargets,
  farBuffers,
  rightsInUse,
  qkeyInUse,
  pathInUse,
  windowUses,
  windowRights,
  windowEnds,
  arming,
  srqLimits,
  unusualRequests,
  unusualAnswers,
  otherDestinations,
  answersElsewhere,
];
