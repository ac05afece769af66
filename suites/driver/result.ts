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

/** The device refused a call that a scenario needs before its steps can begin. `drive`: what was seen until then. */
export class SetupError extends Error {
  readonly drive: DriveResult;
  constructor(cause: VerbsError, drive: DriveResult) {
    super(`set-up of the scenario: ${cause.message}`, { cause });
    this.name = 'SetupError';
    this.drive = drive;
  }
}
