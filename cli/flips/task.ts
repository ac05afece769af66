import type { MessagePort } from 'node:worker_threads';
import type { Drafts } from '../../suites/flips/flip.ts';
import type { Trial } from '../../suites/flips/trials.ts';
import type { Witness } from '../../suites/flips/witnesses.ts';

/** What a thread starts with. */
export interface ThreadData {
  /** what other threads have noticed while it works comes by this one */
  readonly closed: MessagePort;
  /** which flips the numbers mean: see `everyFlip` */
  readonly deeper: boolean;
  readonly drafts: Drafts;
}

/** What a thread is asked for, one after the other; each ends with a `done`. Flips go by their numbers. */
export type Task =
  /** runs these cases again, and tries on each the flips that it showed */
  | { kind: 'replay'; cases: readonly (Omit<Witness, 'shows'> & { flips: readonly number[] })[] }
  /** tries flips on every trace that was run again */
  | { kind: 'try'; flips: readonly number[]; most: number }
  /** makes traces that may show them, until every flip was noticed by any thread or the time is over */
  | {
      kind: 'search';
      flips: readonly number[];
      seed: number;
      part: { i: number; n: number };
      /** milliseconds */
      time: number;
    }
  /** another thread has noticed it, in a search */
  | { kind: 'close'; flip: number };

/** What a thread tells. */
export type Report =
  | { kind: 'trial'; flip: number; trial: Trial }
  /** traces that were judged with flips which nothing noticed */
  | { kind: 'tried'; flip: number; tried: number }
  | { kind: 'step'; doing: string }
  | { kind: 'done' };
