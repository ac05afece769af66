import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/timers.ts`. */
export const timers = {
  'ack-timer-missing': ['rc-timeout-overdue'],
  'ack-timer-once': ['rc-timeout-overdue'],
  'timeout-below-t': ['rc-timeout-early'],
  'timeout-above-4t': ['rc-timeout-overdue'],
  'timeout-linear': ['rc-timeout-early'],
  'timeout-zero-fires': ['rc-timeout-disabled'],
  'min-timeout-not-raised': ['rc-timeout-early'],
  'timer-not-stopped': ['rc-request-completed-again'],
  'timer-restarted-by-ghosts': ['rc-timeout-overdue'],
  'timer-not-restarted-by-responses': ['rc-timeout-early'],
  'timer-ignores-ackreq': ['rc-timeout-overdue'],
  'timer-ignores-reads': ['rc-timeout-overdue'],
  'timer-ignores-atomics': ['rc-timeout-overdue'],
  'timer-runs-in-rnr-wait': ['rc-rnr-wait'],
  'rnr-wait-halved': ['rc-rnr-wait'],
  'rnr-code-zero-no-wait': ['rc-rnr-wait'],
  'rnr-wait-own-timer': ['rc-rnr-wait'],
  'rnr-table-shifted': ['rc-rnr-wait'],
  'rnr-wait-from-request': ['rc-rnr-wait'],
  'rnr-timer-repeats': [
    'rc-retransmission-uncaused',
    'rc-retransmission-starts-late',
    'rc-request-completed-again',
  ],
  'timeout-backs-off': ['rc-timeout-overdue'],
} satisfies MutantEntries;
