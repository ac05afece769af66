import type { Wc } from '../../../spec/verbs.ts';

/** What a CQ notifies software of: nothing, the next solicited completion, or the next one of all. */
export type Armed = 'no' | 'solicited' | 'any';

/** A completion queue. `failed` after an overrun: it takes and gives nothing any more. */
export interface CompletionQueue {
  readonly handle: number;
  capacity: number;
  entries: Wc[];
  armed: Armed;
  failed: boolean;
}

export function makeCq(handle: number, capacity: number): CompletionQueue {
  return { handle, capacity, entries: [], armed: 'no', failed: false };
}
