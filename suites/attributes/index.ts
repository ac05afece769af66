import type { SuiteProperty } from '../property.ts';
import { bounds, foreign, missing, optional } from './attributes.ts';
import { depthChanged, timerInNak } from './effect.ts';
import { beyond, elsewhere } from './ranges.ts';
import { retriesChanged, rnrRetriesChanged } from './requester.ts';
import { keptState, walk, wrongState } from './states.ts';

/** What is claimed of the parameters of a reliable connection: when software may set them, to what, and what they rule. */
export const parameters: readonly SuiteProperty[] = [
  missing,
  foreign,
  optional,
  bounds,
  beyond,
  elsewhere,
  wrongState,
  keptState,
  walk,
  timerInNak,
  depthChanged,
  retriesChanged,
  rnrRetriesChanged,
];
