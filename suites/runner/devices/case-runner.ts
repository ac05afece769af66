import type { Profile } from '../../../adapters/adapter.ts';
import type { Judgement } from '../../../oracle/index.ts';
import type { Scenario } from '../../scenario.ts';
import type { CaseOutcome } from '../executor.ts';

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
