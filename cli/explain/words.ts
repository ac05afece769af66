import type { Vocabulary } from '../../oracle/compile/vocabulary.ts';
import type { DecisionTable, RuleSet } from '../../oracle/rules.ts';
import { count, hanging } from '../../report/text.ts';
import type { ExplainOptions } from './text.ts';

/** A table with its facts, what they may be, and its rules. */
export function tableText(
  table: DecisionTable,
  vocabulary: Vocabulary,
  { width, style }: ExplainOptions,
): string {
  const field = (name: string, text: string): string[] => hanging(`${name.padEnd(11)} `, text, width);
  const on = Object.entries(table.on).map(([key, value]) => `${key} ${value}`);
  const { outcomes = [] } = vocabulary.tables.get(table.id) ?? {};
  const [file] = table.rules.map(({ location }) => location.file);
  const lines = [
    style.bold(table.id) + style.dim('  a table of rules'),
    ...hanging('  ', table.about, width),
    '',
    ...(on.length === 0 ? [] : field('on', on.join(', '))),
    ...field('hit', table.hit),
    ...(file === undefined ? [] : field('defined in', file)),
    ...(outcomes.length === 0 ? [] : field('outcomes', outcomes.join(', '))),
    '',
    style.bold(`Facts (${table.facts.length})`),
    ...table.facts.flatMap(({ name, values }) => [
      `  ${style.accent(name)}`,
      ...hanging('      ', values.join(', '), width),
    ]),
    '',
    style.bold(`Rules (${table.rules.length})`),
    ...table.rules.flatMap(({ id, level, says }) => [
      `  ${style.accent(id)} ${style.dim(`(${level})`)}`,
      ...hanging('      ', says, width),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A fact or an outcome of the vocabulary, with its values and the tables that know it; undefined for another word. */
export function wordText(
  word: string,
  set: RuleSet,
  vocabulary: Vocabulary,
  { width, style }: ExplainOptions,
): string | undefined {
  const kinds = [
    { noun: 'a fact', found: vocabulary.facts.get(word), of: 'facts' },
    { noun: 'an outcome', found: vocabulary.outcomes.get(word), of: 'outcomes' },
  ] as const;
  const blocks = kinds.flatMap(({ noun, found, of }) => {
    if (found === undefined) return [];
    const tables = [...vocabulary.tables.values()].filter((table) => table[of].includes(word));
    const rules = set.rules.filter((rule) =>
      of === 'facts' ? word in rule.when : rule.outcomes.some((outcome) => word in outcome),
    );
    return [
      style.bold(word) + style.dim(`  ${noun} of the vocabulary`),
      ...hanging('  ', found.about, width),
      '',
      style.bold('Values'),
      ...[...found.values].flatMap(([value, means]) => [
        `  ${style.accent(value)}`,
        ...(means === '' ? [] : hanging('      ', means, width)),
      ]),
      '',
      style.bold(`Tables that know it (${tables.length})`),
      ...hanging('  ', tables.map(({ id }) => id).join(', '), width),
      '',
      style.dim(`${count(rules.length, 'rule')}; "rdma-conform explain TABLE" shows a table with its rules`),
    ];
  });
  return blocks.length === 0 ? undefined : `${blocks.join('\n')}\n`;
}
