import * as is from '../../oracle/options.ts';
import type { RunResult } from '../../report/results.ts';
import type { KnownDivergence } from '../../suites/index.ts';
import { commonKinds } from '../../suites/runner/options.ts';

/** What `describeConformance` takes beside the device. */
export interface DescribeOptions {
  /** title of the block; default `rdma-conform: ADAPTER` */
  title?: string;
  /** suites to try; default: all. vitest shards whole files, so one file per suite is what spreads over machines. */
  suites?: readonly string[];
  /** ids of properties to try; default: all of these suites */
  properties?: readonly string[];
  /** scenarios of each property; default 50 on a virtual clock, 25 on a real one */
  runs?: number;
  /** 32 bits; default 1 */
  seed?: number;
  /**
   * divergences expected of the device: they fail no test. A path is a file as `--known` takes it, of which those entries count
   * whose `adapter` is the device's name
   */
  known?: string | readonly KnownDivergence[];
  /** a broken SHOULD fails a test as well */
  strict?: boolean;
  /** runs of a shrunk failure; default 10 on a virtual clock, 5 on a real one */
  confirmations?: number;
  /** directory for the case files of failures; absent: none are written */
  caseDirectory?: string;
  /** milliseconds that a property may take, shrinking included; default ten minutes */
  timeout?: number;
  /** milliseconds until the device is there, a guest's boot included; default five minutes */
  openTimeout?: number;
  /** gets the result of each property, e.g. to keep it beside vitest's own report */
  onResult?: (property: string, result: RunResult) => void;
}

export const describeKinds: is.OptionKinds<DescribeOptions> = {
  title: is.text,
  suites: is.texts,
  properties: is.texts,
  runs: is.integer(1),
  seed: commonKinds.seed,
  known: is.either(is.text, commonKinds.known),
  strict: is.flag,
  confirmations: is.integer(0),
  caseDirectory: is.text,
  timeout: is.duration,
  openTimeout: is.duration,
  onResult: is.callback,
};
