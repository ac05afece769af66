import { levels, type Level } from '../report/results.ts';
import { usageError } from './exit-codes.ts';
import { unknownWord } from './nearest.ts';
import type { Arguments } from './parse.ts';

/** Level of `--level`, checked; undefined: all. */
export function selectedLevel(args: Arguments): Level | undefined {
  const value = args.text('level');
  if (value === undefined) return undefined;
  const level = levels.find((candidate) => candidate === value);
  if (level === undefined) throw usageError(unknownWord('level', value, levels));
  return level;
}

/** Value of `--rule`, checked against the rule set; undefined: all. */
export function selectedRule(args: Arguments, known: readonly string[]): string | undefined {
  const id = args.text('rule');
  if (id === undefined || known.includes(id)) return id;
  throw usageError(`${unknownWord('rule', id, known)}; "rdma-conform rules" lists them`);
}
