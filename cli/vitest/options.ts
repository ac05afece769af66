import type { RunResult } from '../../report/results.ts';
import type { KnownDivergence } from '../../suites/index.ts';

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

export const describeOptions: Readonly<Record<keyof DescribeOptions, true>> = {
  title: true,
  suites: true,
  properties: true,
  runs: true,
  seed: true,
  known: true,
  strict: true,
  confirmations: true,
  caseDirectory: true,
  timeout: true,
  openTimeout: true,
  onResult: true,
};
