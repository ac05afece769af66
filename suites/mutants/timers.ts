import type { MutantEntries } from './entry.ts';

const notJudged = 'the rules of the requester are not written yet';

/** Rules broken by the mutants of `adapters/reference/mutants/timers.ts`. */
export const timers = {
  'ack-timer-missing': { notJudged },
  'ack-timer-once': { notJudged },
  'timeout-below-t': { notJudged },
  'timeout-above-4t': { notJudged },
  'timeout-linear': { notJudged },
  'timeout-zero-fires': { notJudged },
  'min-timeout-not-raised': { notJudged },
  'timer-not-stopped': { notJudged },
  'timer-restarted-by-ghosts': { notJudged },
  'timer-not-restarted-by-responses': { notJudged },
  'timer-ignores-ackreq': { notJudged },
  'timer-ignores-reads': { notJudged },
  'timer-ignores-atomics': { notJudged },
  'timer-runs-in-rnr-wait': { notJudged },
  'rnr-wait-halved': { notJudged },
  'rnr-code-zero-no-wait': { notJudged },
  'rnr-wait-own-timer': { notJudged },
  'rnr-table-shifted': { notJudged },
  'rnr-wait-from-request': { notJudged },
  'rnr-timer-repeats': { notJudged },
  'timeout-backs-off': { notJudged },
} satisfies MutantEntries;
