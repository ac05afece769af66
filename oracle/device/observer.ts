import type { ObjectListener } from './listener.ts';
import type { TraceEvent } from '../trace.ts';
import type { Note } from './notes.ts';

/** `mine`: those behind it in the order of observers need not look at the event. */
export type Claim = 'mine' | 'shared';

/** A part of the judge, which follows a trace event by event. */
export interface Observer extends ObjectListener {
  /** Takes an event, before any machine is notified of what a call has done. `index`: its place in the trace. */
  see(event: TraceEvent, index: number): Claim;
  /** What of it is notified of the device's objects by itself, behind it and in this order. */
  readonly parts?: readonly ObjectListener[];
  /** Of a capture that is judged in parts: what is to be known of the others. */
  note?(note: Note): void;
  /** The trace has ended. */
  finish?(): void;
}
