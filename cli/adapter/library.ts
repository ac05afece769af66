import type { Adapter } from '../../adapters/adapter.ts';
import {
  openConformance as openOn,
  replayCase as replayOn,
  runConformance as runOn,
  type ConformanceDevice,
  type ConformanceOptions,
  type ReplayCase,
  type ReplayOptions,
  type ReplayResult,
  type RunOptions,
} from '../../suites/index.ts';
import type { RunResult } from '../../report/results.ts';
import { resolveAdapter } from './registry.ts';

/**
 * The adapter that `--adapter NAME` means: `reference:mutant=ID`, `rxe:kernel=6.12`, `verbs:DEVICE`, a path to a module. Paths
 * are taken from `directory`, by default the working directory. Throws an Error that says what is wrong with the name.
 */
export async function adapterFor(name: string, directory: string = process.cwd()): Promise<Adapter> {
  if (typeof name !== 'string') throw new TypeError('resolveAdapter takes what --adapter takes, a string');
  return resolveAdapter(name, directory);
}

/**
 * Opens a device and binds the properties to it, for any test runner. `adapter` is an Adapter, or what `--adapter` takes. On a
 * virtual clock each scenario has a device of its own; otherwise all share one. Throws AdapterUnavailable where the device cannot be
 * had, TypeError for an unknown option.
 */
export async function openConformance(
  adapter: Adapter | string,
  options: ConformanceOptions = {},
): Promise<ConformanceDevice> {
  return openOn(await adapterOf(adapter), options);
}

async function adapterOf(adapter: Adapter | string): Promise<Adapter> {
  return typeof adapter === 'string' ? adapterFor(adapter) : adapter;
}

/** `runConformance` of the suites, whose `adapter` may also be what `--adapter` takes. */
export async function runConformance(
  options: Omit<RunOptions, 'adapter'> & { adapter: Adapter | string },
): Promise<RunResult> {
  if (typeof options !== 'object') throw new TypeError('runConformance takes an object of options');
  return runOn({ ...options, adapter: await adapterOf(options.adapter) });
}

/** `replayCase` of the suites, whose `adapter` may also be what `--adapter` takes. */
export async function replayCase(
  adapter: Adapter | string,
  replay: ReplayCase,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  return replayOn(await adapterOf(adapter), replay, options);
}
