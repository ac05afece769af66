import type { Judgement, TraceEvent, Violation } from '../../oracle/trace.ts';

/** Judges the packets of a capture, one after the other. */
export interface CaptureJudge {
  push(event: TraceEvent): void;
  /** what was found broken up to now */
  readonly violations: readonly Violation[];
  /** Settles once it can take more. */
  room(): Promise<void>;
  finish(): Promise<Judgement>;
  /** Ends what runs for it. */
  stop(): Promise<void>;
}
