import { responderDuplicates } from './responder-duplicates.ts';
import { responderFrames } from './responder-frames.ts';
import { responderMemory } from './responder-memory.ts';
import { responderReplies } from './responder-replies.ts';
import { responderStates } from './responder-states.ts';

/** Faults of the device as responder, besides those of the families of one topic each. */
export const responder = [
  ...responderFrames,
  ...responderReplies,
  ...responderDuplicates,
  ...responderStates,
  ...responderMemory,
] as const;
