import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/congestion-switch.ts`. */
export const congestionSwitch = {
  'switch-marks-not-ect': { notJudged: 'no rule judges congestion control yet' },
  'switch-never-marks': { notJudged: 'no rule judges congestion control yet' },
  'switch-marks-below-low': { notJudged: 'no rule judges congestion control yet' },
  'switch-marks-all-between': { notJudged: 'no rule judges congestion control yet' },
  'switch-marks-none-between': { notJudged: 'no rule judges congestion control yet' },
  'switch-marks-ect0-only': { notJudged: 'no rule judges congestion control yet' },
  'switch-clears-ce': { notJudged: 'no rule judges congestion control yet' },
  'switch-sets-ect1': { notJudged: 'no rule judges congestion control yet' },
  'switch-drops-early': { notJudged: 'no rule judges congestion control yet' },
  'switch-never-drops': { notJudged: 'no rule judges congestion control yet' },
  'switch-drops-lossless': { notJudged: 'no rule judges congestion control yet' },
  'switch-pauses-lossy': { notJudged: 'no rule judges congestion control yet' },
  'switch-never-pauses': { notJudged: 'no rule judges congestion control yet' },
} satisfies MutantEntries;
