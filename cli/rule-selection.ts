import type { Level } from '../report/results.ts';
import { usageError } from './exit-codes.ts';
import { unknownWord } from './nearest.ts';
import type { Arguments } from './parse.ts';

const levels: readonly Level[] = ['must', 'should', 'may'];

/** Level of `--level`, checked; undefined: all. */
export function selectedLevel(args: Arguments): Level | undefined {
  const value = args.text('level');
  if (value === undefined) return undefined;
  const level = levels.find((candidate) => candidate === value);
  if (level === undefined) throw usageError(unknownWord('level', value, levels));
  return level;
}

/** Whether a level is at least as binding as another: must, then should, then may. */
export function atLeast(level: Level, floor: Level | undefined): boolean {
  return floor === undefined || levels.indexOf(level) <= levels.indexOf(floor);
}

/** Values of `--rule` (several flags, or commas), each checked against the rule set; undefined: all. */
export function selectedRules(args: Arguments, known: readonly string[]): string[] | undefined {
  const ids = args.texts('rule').flatMap((value) => value.split(',').map((id) => id.trim()));
  for (const id of ids) {
    if (!known.includes(id))
      throw usageError(`${unknownWord('rule', id, known)}; "rdma-conform rules" lists them`);
  }
  return ids.length === 0 ? undefined : ids;
}
