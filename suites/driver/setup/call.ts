import type { VerbsCall } from '../../../oracle/trace.ts';

/** Runs a verbs call and, at the DUT's end, notes it. */
export type CallWrapper = <T>(make: () => Promise<T>, noted: (result: T) => VerbsCall) => Promise<T>;
