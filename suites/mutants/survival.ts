import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/survival.ts`. */
export const survival = {
  'dies-of-wrong-write-length': ['device-survives-frames'],
  'dies-of-reset': ['device-survives-calls', 'device-survives-frames'],
} satisfies MutantEntries;
