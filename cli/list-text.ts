import type { RuleSet } from '../oracle/index.ts';
import { styleFor } from '../report/style.ts';
import { hanging } from '../report/text.ts';
import type { RunOptions, SuiteProperty } from '../suites/index.ts';
import type { Streams } from './streams.ts';

/** What `--list` prints: the properties that would be tried, and the rules that count. */
export function listText(
  all: readonly SuiteProperty[],
  set: RuleSet,
  { suite, rule, level }: Pick<RunOptions, 'suite' | 'rule' | 'level'>,
  { width, colour }: Pick<Streams, 'width' | 'colour'>,
): string {
  const style = styleFor(colour);
  const inSuite = all.filter((property) => suite === undefined || property.suite === suite);
  const aiming = inSuite.filter((property) => rule !== undefined && property.aims?.includes(rule) === true);
  const tried = aiming.length > 0 ? aiming : inSuite;
  const rules = set.rules.filter((r) => (rule ?? r.id) === r.id && (level ?? r.level) === r.level);
  const lines = [
    style.bold(`Properties (${tried.length})`),
    ...tried.flatMap(({ id, says }) => [`  ${id}`, ...hanging('      ', says, width)]),
    '',
    style.bold(`Rules (${rules.length})`),
    ...rules.map(({ id, level: of }) => `  ${id} ${style.dim(`(${of})`)}`),
  ];
  return `${lines.join('\n')}\n`;
}
