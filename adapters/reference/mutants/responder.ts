import { responderFrames } from './responder-frames.ts';

/** Faults of the device as responder, besides those of the families of one topic each. */
export const responder = [...responderFrames] as const;
