import type { Rule, RuleSet } from '../../oracle/index.ts';
import { levels, type Level } from '../../report/results.ts';
import { usageError } from '../exit-codes.ts';
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

/**
 * Rules of `--rule`, as often as it is given, checked against the rule set; undefined: all. One that `--level` leaves out is
 * a usage error.
 */
export function selectedRules(
  args: Arguments,
  key: 'rule' | 'checkRule',
  set: RuleSet,
): readonly string[] | undefined {
  const ids = [...new Set(args.texts(key))];
  const level = selectedLevel(args);
  const known = set.rules.map((rule) => rule.id);
  for (const id of ids) {
    if (!known.includes(id)) {
      throw usageError(
        `${unknownWord('rule', id, known)}${id.includes(',') ? '; several rules are several flags: --rule A --rule B' : ''}`,
      );
    }
    const found = set.rule(id)?.level;
    if (level !== undefined && found !== level)
      throw usageError(`rule ${id} is a ${found ?? ''}, which --level ${level} leaves out`);
  }
  return ids.length === 0 ? undefined : ids;
}

/** Suites of `--suite`, as often as it is given, checked; undefined: all. */
export function selectedSuites(args: Arguments, suites: readonly string[]): readonly string[] | undefined {
  const names = [...new Set(args.texts('suite'))];
  for (const name of names) {
    if (suites.includes(name)) continue;
    const several = name.includes(',') ? '; several suites are several flags: --suite A --suite B' : '';
    throw usageError(`${unknownWord('suite', name, suites)}${several}`);
  }
  return names.length === 0 ? undefined : names;
}

/** Rules that count where traces or captures are judged: of the level and the ids asked for. `asked`: these ids, if any. */
export function rulesToJudge(
  args: Arguments,
  set: RuleSet,
): { asked: readonly string[] | undefined; rules: readonly Rule[] } {
  const level = selectedLevel(args);
  const asked = selectedRules(args, 'checkRule', set);
  const rules = set.rules.filter(
    (rule) => (level ?? rule.level) === rule.level && (asked?.includes(rule.id) ?? true),
  );
  return { asked, rules };
}
