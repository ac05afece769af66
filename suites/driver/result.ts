import type { VerbsError } from '../../adapters/adapter.ts';
import type { TraceEvent, TraceHeader } from '../../oracle/trace.ts';
import type { Wc } from '../../spec/verbs.ts';

/** What running a scenario yields. */
export interface DriveResult {
  header: TraceHeader;
  events: TraceEvent[];
  /** completions at the live peer; empty where the peer was made of crafted packets */
  peerCompletions: Wc[];
  /** frames that met a fault of the plan */
  faultsMet: number;
}

/** The device refused a call that a scenario needs before its steps can begin. */
export class SetupError extends Error {
  constructor(cause: VerbsError) {
    super(`set-up of the scenario: ${cause.message}`, { cause });
    this.name = 'SetupError';
  }
}
