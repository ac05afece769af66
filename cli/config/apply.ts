import type { Command } from '../commands/command.ts';
import { flags, type Flag, type FlagKey } from '../flags/flags.ts';
import { parseArguments, type Arguments } from '../flags/parse.ts';
import { readConfig, type Config } from './config.ts';

const flagByKey: Readonly<Record<FlagKey, Flag>> = flags;

/** Words of the command line that say the same. */
function wordsOf(key: keyof Config, config: Config): string[] {
  const value = config[key];
  const { name } = flagByKey[key];
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  return [value].flat().map((one) => `--${name}=${one}`);
}

const keys: Readonly<Record<keyof Config, true>> = {
  adapter: true,
  known: true,
  suite: true,
  rule: true,
  reporter: true,
  level: true,
  seed: true,
  runs: true,
  preset: true,
  jobs: true,
  timeLimit: true,
  bail: true,
  strict: true,
  requireCoverage: true,
  verbose: true,
};

/** A command line, filled up from a config file. */
export interface Filled {
  args: Arguments;
  /** file and flags that were taken from it; undefined if none was */
  from?: string;
}

/** The arguments of a command, with what the config file says where no flag does. Throws a usage error. */
export async function fillFromConfig(
  command: Command,
  argv: readonly string[],
  directory: string,
): Promise<Filled> {
  const args = parseArguments(argv, command.flags);
  if (!command.flags.includes('config') || args.has('help')) return { args };
  const found = await readConfig(args.text('config'), directory);
  if (found === undefined) return { args };
  const more = Object.keys(found.config)
    .filter((key): key is keyof Config => Object.hasOwn(keys, key))
    .filter((key) => command.flags.includes(key) && !args.has(key))
    .flatMap((key) => wordsOf(key, found.config));
  if (more.length === 0) return { args };
  return {
    args: parseArguments([...more, ...argv], command.flags),
    from: `${found.file} says ${more.join(' ')}`,
  };
}
