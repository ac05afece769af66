import type { Adapter, OpenOptions, Profile } from '../../adapters/adapter.ts';
import type { RuleSet } from '../../oracle/index.ts';
import * as is from '../../oracle/options.ts';
import { levels, type Level } from '../../report/results.ts';
import type { KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import type { CaseRunner } from './devices/case-runner.ts';
import { presetNames, type Preset } from './budget/presets.ts';
import type { RunRecord } from './record.ts';

/** What `runConformance` takes: the device, what to try on it, and how long. */
export interface RunOptions {
  adapter: Adapter;
  /** scenarios in all, 0 for kept cases alone; default: as `preset` says, or without end where there is a `timeLimit` */
  runs?: number;
  /** how many scenarios: `default`, 4400 on a virtual clock and 2500 on a real one, or `thorough`, 70,000 and 17,000 */
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
  /** is called with everything as it comes */
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

/** Kinds of options that several entries of the library take. */
export const commonKinds = {
  adapter: is.having('an adapter, or what --adapter takes', 'name', 'open'),
  rules: is.having('what loadRules gives', 'rules', 'tables', 'machines'),
  properties: is.listHaving('properties of the suites', 'id', 'suite', 'arbitrary'),
  seed: is.integer(0, 0xffffffff),
  signal: is.having('an AbortSignal', 'aborted', 'addEventListener'),
  known: is.listHaving('known divergences, each with rule and reason', 'rule', 'reason'),
} satisfies Record<string, is.OptionKind>;

function isShard(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('i' in value) || !('n' in value)) return false;
  const { i, n } = value;
  if (typeof i !== 'number' || typeof n !== 'number') return false;
  return Number.isInteger(i) && Number.isInteger(n) && i >= 1 && i <= n;
}

const kinds: is.OptionKinds<RunOptions> = {
  ...commonKinds,
  runs: is.integer(0),
  preset: is.oneOf(presetNames),
  suite: is.textOrTexts,
  property: is.text,
  rule: is.textOrTexts,
  level: is.oneOf(levels),
  timeLimit: is.duration,
  shrinkTime: is.duration,
  bail: is.flag,
  shard: is.kind('{ i, n }, integers with 1 <= i <= n', isShard),
  known: is.either(commonKinds.known, is.callback),
  confirmations: is.integer(0),
  caseDirectory: is.text,
  onProgress: is.callback,
  log: is.callback,
  record: is.having('a record of a run'),
  runner: is.callback,
};

/** Throws TypeError for what is no adapter. */
export function checkAdapter(adapter: unknown, of: string): void {
  if (!commonKinds.adapter.fits(adapter))
    throw new TypeError(`${of}: adapter must be ${commonKinds.adapter.wanted}`);
}

/** Throws TypeError for an option that `runConformance` does not know, or that is of another kind. */
export function checkRunOptions(options: RunOptions): void {
  is.checkOptions(options, kinds, 'runConformance');
  checkAdapter(options.adapter, 'runConformance');
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
