import type { Profile } from '../../../adapters/adapter.ts';
import type { Judgement } from '../../../oracle/index.ts';
import type { DriveResult } from '../../driver/index.ts';
import type { Scenario } from '../../scenario.ts';

/** What became of one scenario: it was judged, or could not be run. */
export type CaseOutcome =
  | { kind: 'judged'; judgement: Judgement; drive: DriveResult }
  /** `fatal`: the device is gone, and nothing more can be run; `interrupted`: somebody has asked for the end of the run */
  | { kind: 'error'; message: string; fatal: boolean; interrupted?: true };

/** A scenario in which nothing was violated, and of which only the judgement was kept. */
export interface CleanOutcome {
  kind: 'clean';
  judgement: Judgement;
  /** events of its trace */
  events: number;
}

/** Runs and judges scenarios on one device, or on several alike. */
export interface CaseRunner {
  readonly profile: Profile;
  /** scenarios that may be handed over at a time */
  readonly concurrency: number;
  /** devices that scenarios are spread over */
  readonly devices: number;
  /** what a device died of, where no scenario by itself made it die again */
  readonly unexplainedDeath: string | undefined;
  run(scenario: Scenario): Promise<CaseOutcome | CleanOutcome>;
  /** Throws where a device turns out to be broken while it is closed. */
  close(): Promise<void>;
}
