import type { RuleSet } from '../oracle/index.ts';
import { styleFor } from '../report/style.ts';
import { hanging } from '../report/text.ts';
import { selectProperties, selectRules, type RunOptions, type SuiteProperty } from '../suites/index.ts';
import type { Streams } from './streams.ts';

/** What `--list` prints: the properties that would be tried, and the rules that count. */
export function listText(
  all: readonly SuiteProperty[],
  set: RuleSet,
  options: Pick<RunOptions, 'suite' | 'rule' | 'level'>,
  { width, colour }: Pick<Streams, 'width' | 'colour'>,
): string {
  const style = styleFor(colour);
  const tried = selectProperties(all, options);
  const rules = selectRules(set.rules, options);
  const lines = [
    style.bold(`Properties (${tried.length})`),
    ...tried.flatMap(({ id, says }) => [`  ${id}`, ...hanging('      ', says, width)]),
    '',
    style.bold(`Rules (${rules.length})`),
    ...rules.map(({ id, level: of }) => `  ${id} ${style.dim(`(${of})`)}`),
  ];
  return `${lines.join('\n')}\n`;
}
