import type { Wc } from '../../../spec/verbs.ts';

/** A completion queue. `failed` after an overrun: it takes and gives nothing any more. */
export interface CompletionQueue {
  readonly handle: number;
  readonly capacity: number;
  entries: Wc[];
  armed: boolean;
  failed: boolean;
}

export function makeCq(handle: number, capacity: number): CompletionQueue {
  return { handle, capacity, entries: [], armed: false, failed: false };
}
