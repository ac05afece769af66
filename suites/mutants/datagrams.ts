import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/datagrams.ts`. */
export const datagrams = {
  'ud-qkey-unchecked': ['ud-drop-qkey', 'ud-effects-unheard'],
  'ud-qkey-mismatch-fatal': ['ud-drop-qkey', 'state-kept-by-verbs'],
  'ud-psn-checked': ['ud-receive-completes'],
  'ud-reserved-opcode-taken': ['ud-reserved-opcode'],
  'ud-long-truncated': ['ud-too-long', 'ud-effects-short-receive'],
  'ud-long-consumes-receive': ['ud-too-long'],
  'ud-long-fatal': ['ud-too-long'],
  'ud-long-stored': ['unreliable-memory-refused'],
  'ud-without-grh': ['unreliable-memory-written'],
  'ud-byte-len-without-grh': ['ud-receive-length'],
  'ud-source-number-wrong': ['ud-receive-source'],
  'ud-grh-flag-missing': ['ud-receive-grh'],
  'ud-no-receive-fatal': ['unreliable-state-kept', 'state-kept-by-verbs'],
  'ud-acknowledges': ['ud-never-answers'],
} satisfies MutantEntries;
