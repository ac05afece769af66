import type { Scenario } from '../../suites/index.ts';
import type { CaseOutcome } from '../../suites/runner/executor.ts';
import type { CleanOutcome } from '../../suites/runner/devices/case-runner.ts';
import type { PackedDrive } from '../../suites/runner/devices/packed.ts';

/** What a thread is made with. */
export interface Terms {
  /** the device as `--adapter` names it */
  adapter: string;
  /** what its paths are taken from */
  directory: string;
  /** traces of cases without a violation are asked for as well */
  traces: boolean;
}

export type ToThread = { id: number; scenario: Scenario } | 'close';

type Judged = Extract<CaseOutcome, { kind: 'judged' }>;

/** What running a scenario came to, as it is handed from thread to thread. */
export type PackedOutcome =
  CleanOutcome | Exclude<CaseOutcome, Judged> | (Omit<Judged, 'drive'> & { drive: PackedDrive });

export type FromThread =
  | { id: number; outcome: PackedOutcome }
  | { log: string }
  | 'ready'
  /** `close` was heard: the device is being closed */
  | 'closing'
  | { closed: { trouble?: string } }
  | { failed: { message: string; unavailable: boolean } };
