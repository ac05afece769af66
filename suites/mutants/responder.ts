import type { MutantEntries } from './entry.ts';
import { responderFrames } from './responder-frames.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responder.ts`. */
export const responder = { ...responderFrames } satisfies MutantEntries;
