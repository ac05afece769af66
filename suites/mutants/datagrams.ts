import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/datagrams.ts`. */
export const datagrams = {
  'ud-qkey-unchecked': ['ud-drop-qkey'],
  'ud-qkey-mismatch-fatal': ['unreliable-state-kept'],
  'ud-psn-checked': ['ud-admit'],
  'ud-source-checked': ['ud-admit'],
  'ud-reserved-opcode-taken': ['ud-reserved-opcode'],
  'ud-long-truncated': ['ud-too-long'],
  'ud-long-consumes-receive': ['ud-too-long'],
  'ud-long-fatal': ['ud-too-long'],
  'ud-long-stored': ['unreliable-memory-refused'],
  'ud-without-grh': ['ud-received'],
  'ud-byte-len-without-grh': ['ud-receive-length'],
  'ud-source-number-wrong': ['ud-receive-source'],
  'ud-grh-flag-missing': ['ud-receive-grh'],
  'ud-no-receive-fatal': ['ud-no-receive'],
  'ud-acknowledges': ['ud-never-answers'],
} satisfies MutantEntries;
