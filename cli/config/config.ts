import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  either,
  flag,
  integer,
  list,
  object,
  oneOf,
  ShapeError,
  text,
  type Check,
} from '../../adapters/agent/check.ts';
import { levels, type Level } from '../../report/results.ts';
import { presetNames, type Preset } from '../../suites/runner/budget/presets.ts';
import { importDefault } from '../adapter/module.ts';
import { messageOf, usageError } from '../exit-codes.ts';
import { durationForm, secondsOf } from '../flags/duration.ts';
import { readText } from '../files/read-text.ts';

/**
 * What a project would otherwise repeat on the command line: the default export of `rdma-conform.config.ts`, or the object in
 * `rdma-conform.config.json`. Each key is a flag of `run`, and a flag that is given wins. Paths are taken from the working directory.
 */
export interface Config {
  adapter?: string;
  known?: string;
  suite?: string | string[];
  rule?: string | string[];
  reporter?: string | string[];
  level?: Level;
  seed?: number;
  runs?: number;
  preset?: Preset;
  jobs?: number;
  /** seconds, or a duration such as `15m` */
  timeLimit?: number | string;
  bail?: boolean;
  strict?: boolean;
  requireCoverage?: boolean;
  verbose?: boolean;
}

const words = either(text, list(text));

const duration: Check<number | string> = Object.assign(
  (value: unknown, path: string): number | string => {
    const given = typeof value === 'number' || typeof value === 'string' ? value : '';
    if (secondsOf(String(given)) === undefined) throw new ShapeError(path, durationForm, value);
    return given;
  },
  { schema: { type: ['number', 'string'] } },
);

const shape: Check<Config> = object(
  {},
  {
    adapter: text,
    known: text,
    suite: words,
    rule: words,
    reporter: words,
    level: oneOf(...levels),
    seed: integer,
    runs: integer,
    preset: oneOf(...presetNames),
    jobs: integer,
    timeLimit: duration,
    bail: flag,
    strict: flag,
    requireCoverage: flag,
    verbose: flag,
  },
);

/** Names of the file that is looked for in the working directory. */
const names = ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `rdma-conform.config.${ending}`);

/** The file and what it says. */
export interface ConfigFile {
  file: string;
  config: Config;
}

function parsed(source: string, file: string): unknown {
  try {
    return JSON.parse(source);
  } catch (thrown) {
    const message = messageOf(thrown);
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? source.length);
    const before = source.slice(0, at).split('\n');
    throw usageError(`${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: no JSON: ${message}`);
  }
}

/** The file of `--config`, or the one in the working directory; undefined if there is none. Throws a usage error with its place. */
export async function readConfig(
  asked: string | undefined,
  directory: string,
): Promise<ConfigFile | undefined> {
  const there = names.filter((name) => existsSync(resolve(directory, name)));
  if (asked === undefined && there.length > 1)
    throw usageError(`${there.join(' and ')} exclude each other; choose by --config`);
  const file = asked ?? there[0];
  if (file === undefined) return undefined;
  const path = resolve(directory, file);
  let value: unknown;
  if (file.endsWith('.json')) {
    value = parsed(readText(file, directory), file);
  } else {
    if (!existsSync(path)) throw usageError(`${file}: there is no such file`);
    if (!statSync(path).isFile()) throw usageError(`${file}: it is no file`);
    if (!/\.[cm]?[jt]s$/.test(file)) throw usageError(`${file}: its name must end in .json, .ts or .js`);
    value = await importDefault(path, `config ${file}`);
  }
  try {
    return { file, config: shape(value, 'config') };
  } catch (thrown) {
    throw usageError(`${file}: ${messageOf(thrown)}`);
  }
}
