import type { CapturePart } from '../../../oracle/capture/findings.ts';
import type { Note } from '../../../oracle/device/notes.ts';
import type { TraceHeader, Violation } from '../../../oracle/trace.ts';

/** What a thread is made with. */
export interface Terms {
  header: TraceHeader;
  /** violations are sent as they are found */
  live: boolean;
}

/** Numbers that stand for a frame in `Batch.heads`: event, time, number of the frame, its bytes. */
export const headNumbers = 4;

/** What stands among the frames of a batch, in front of that with index `at`. */
export type Among = { at: number; event: number } & (
  | { note: Note; order: number }
  /** nothing is known of what comes next */
  | { gap: string; t: number }
);

/** Frames of one share of a capture, from the Ethernet header on, one behind the other. */
export interface Batch {
  heads: Float64Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
  among: Among[];
}

export type ToThread = Batch | { events: number };

export type FromThread =
  /** a batch is judged */
  | { found: readonly Violation[] }
  /** the whole share is */
  | { part: CapturePart };
