import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responder-memory.ts`. */
export const responderMemory = {
  'refused-write-stored': ['rc-memory-refused'],
  'padding-written': ['rc-memory-unnamed'],
  'receive-queue-last-first': ['rc-receive-order', 'unreliable-receive-order'],
} satisfies MutantEntries;
