import type { Profile } from '../../adapters/adapter.ts';
import type { Scenario } from '../../suites/index.ts';
import type { CaseOutcome, CleanOutcome } from '../../suites/runner/devices/case-runner.ts';
import type { PackedDrive } from '../../suites/runner/devices/packed.ts';

/** What a thread is made with. */
export interface Terms {
  /** the device as `--adapter` names it */
  adapter: string;
  /** what its paths are taken from */
  directory: string;
  /** traces of cases without a violation are asked for as well */
  traces: boolean;
  /** on a real clock: devices of other threads are open as well */
  apart: boolean;
}

export type ToThread = { id: number; scenario: Scenario } | 'close';

type Judged = Extract<CaseOutcome, { kind: 'judged' }>;

/** What running a scenario came to, as it is handed from thread to thread. */
export type PackedOutcome =
  CleanOutcome | Exclude<CaseOutcome, Judged> | (Omit<Judged, 'drive'> & { drive: PackedDrive });

export type FromThread =
  /** `death`: what its device died of, where no scenario by itself made it die again */
  | { id: number; outcome: PackedOutcome; death?: string }
  | { log: string }
  /** `concurrency`: scenarios that may run at a time; `profile`: once open, a device may know more of itself */
  | { ready: { profile: Profile; concurrency: number } }
  /** `close` was heard: the device is being closed */
  | 'closing'
  | { closed: { trouble?: string } }
  | { failed: { message: string; unavailable: boolean } };
