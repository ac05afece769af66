import type { MutantEntries } from './entry.ts';
import { responderDuplicates } from './responder-duplicates.ts';
import { responderFrames } from './responder-frames.ts';
import { responderMemory } from './responder-memory.ts';
import { responderReplies } from './responder-replies.ts';
import { responderStates } from './responder-states.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responder.ts`. */
export const responder = {
  ...responderFrames,
  ...responderReplies,
  ...responderDuplicates,
  ...responderStates,
  ...responderMemory,
} satisfies MutantEntries;
