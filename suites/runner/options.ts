import type { Adapter, OpenOptions, Profile } from '../../adapters/adapter.ts';
import type { RuleSet } from '../../oracle/index.ts';
import type { Level } from '../../report/results.ts';
import type { KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import type { CaseRunner } from './devices/case-runner.ts';
import type { Preset } from './budget/presets.ts';
import type { RunRecord } from './record.ts';

/** What `runConformance` takes: the device, what to try on it, and how long. */
export interface RunOptions {
  adapter: Adapter;
  /** scenarios in all; default: as `preset` says, or without end where there is a `timeLimit` */
  runs?: number;
  /** how many scenarios: `default`, 3000 on a virtual clock and 1500 on a real one, or `thorough`, 60,000 and 15,000 */
  preset?: Preset;
  /** 32 bits; default 1 */
  seed?: number;
  /** only properties of this suite, or of these */
  suite?: string | readonly string[];
  /** only the property with this id */
  property?: string;
  /** only this rule counts, or these, and only properties that aim at one are tried, where there are such for each */
  rule?: string | readonly string[];
  /** only rules of this level count */
  level?: Level;
  /** seconds after which no more scenarios are begun */
  timeLimit?: number;
  /** seconds that shrinking a finding may take, and as many to find out what matters in it; default 10 on a real device, none else */
  shrinkTime?: number;
  /** stop at the first divergence that is not known */
  bail?: boolean;
  /** the i-th of n parts of the campaign, i from 1 */
  shard?: { i: number; n: number };
  /** divergences expected of this device; as a function where that depends on the device as opened */
  known?: readonly KnownDivergence[] | ((profile: Profile) => readonly KnownDivergence[]);
  /** runs of a shrunk failure; default 10 on a virtual clock, 5 on a real one */
  confirmations?: number;
  /** directory of case files: replayed first, and new failures are written there; absent: neither */
  caseDirectory?: string;
  onProgress?: ((progress: RunProgress) => void) | undefined;
  /** one line for people, e.g. "booting the guest" */
  log?: (line: string) => void;
  /** hears of everything as it comes */
  record?: RunRecord;
  /** ends the run early; what was found is kept */
  signal?: AbortSignal;
  /** runs and judges the scenarios, such as several devices in threads of their own; default: one device, in this thread */
  runner?: (open: OpenOptions) => Promise<CaseRunner>;
  /** rule set to judge by; default: the package's own */
  rules?: RuleSet;
  /** properties to try; default: all of the package */
  properties?: readonly SuiteProperty[];
}

/** How far a run has come, for a progress line. */
export interface RunProgress {
  phase: 'running' | 'shrinking';
  cases: number;
  of: number;
  packets: number;
  rulesExercised: number;
  rulesTotal: number;
  /** rules found violated so far */
  failures: number;
  /** milliseconds */
  elapsed: number;
}
