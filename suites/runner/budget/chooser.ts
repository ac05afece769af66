import type { CaseOutcome, CleanOutcome } from '../devices/case-runner.ts';

/** Chooses the property that the next case comes from, by its place in the list; `undefined`: there is none left. */
export interface Chooser {
  next(): number | undefined;
  /** Takes what cases came to, in the order in which they were begun. */
  learn(spent: Spent): void;
}

/** What a case came to. */
export interface Spent {
  /** place of its property */
  index: number;
  /** ids of the rules that it exercised */
  exercised: Iterable<string>;
  /** what it took, the same in every run: events of its trace */
  cost: number;
  /** its property is not to be tried any more */
  last: boolean;
}

/** What running a case at `index` came to. */
export function spentOn(index: number, outcome: CaseOutcome | CleanOutcome, last = false): Spent {
  if (outcome.kind === 'error') return { index, exercised: [], cost: 0, last };
  const cost = outcome.kind === 'clean' ? outcome.events : outcome.drive.events.length;
  return { index, exercised: outcome.judgement.exercised.keys(), cost, last };
}
