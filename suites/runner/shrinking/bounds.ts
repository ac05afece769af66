import type { Scenario } from '../../scenario.ts';

/** How long a simpler scenario is looked for. */
export interface ShrinkBounds {
  /** candidates tried at most */
  tries: number;
  /** candidates tried at a time */
  parallel: number;
  /** true once no more should be tried; asked between batches */
  stop: () => boolean;
}

/** The simplest scenario that was found. `whole`: nothing simpler is left to try */
export interface Shrunk {
  scenario: Scenario;
  whole: boolean;
}
