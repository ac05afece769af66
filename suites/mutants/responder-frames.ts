import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responder-frames.ts`. */
export const responderFrames = {
  'ethertype-unchecked': ['frame-ethertype-wrong'],
  'ip-header-unchecked': ['frame-ip-header-wrong'],
  'udp-header-unchecked': ['frame-udp-header-wrong'],
  'cut-short-accepted': ['frame-cut-short'],
  'wrong-udp-length-sent': ['frame-sent-sound'],
} satisfies MutantEntries;
