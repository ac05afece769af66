import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/congestion-switch.ts`. */
export const congestionSwitch = {
  'switch-marks-not-ect': ['cc-hop-not-ect-kept'],
  'switch-never-marks': ['cc-hop-marked'],
  'switch-marks-below-low': ['cc-hop-unmarked'],
  'switch-marks-all-between': ['cc-hop-marked-at-times'],
  'switch-marks-none-between': ['cc-hop-marked-at-times'],
  'switch-marks-flat': ['cc-hop-marked-at-times'],
  'switch-marks-convex': ['cc-hop-marked-at-times'],
  'switch-marks-ect0-only': ['cc-hop-marked'],
  'switch-clears-ce': ['cc-hop-ce-kept'],
  'switch-sets-ect1': ['cc-hop-marked'],
  'switch-drops-early': ['cc-hop-forwarded'],
  'switch-never-drops': ['cc-hop-overflow'],
  'switch-drops-lossless': ['cc-hop-lossless'],
  'switch-pauses-lossy': ['cc-hop-never-paused'],
  'switch-never-pauses': ['cc-hop-paused'],
} satisfies MutantEntries;
