import type { Rule } from '../rules.ts';
import type { TableDraft } from './table/draft.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Table cell: one line, bars kept apart from the table's own. */
function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

function valueTable(values: ReadonlyMap<string, string>, fallback?: string | readonly string[]): string[] {
  const defaults = fallback === undefined ? [] : typeof fallback === 'string' ? [fallback] : fallback;
  return [
    '| value | meaning |',
    '| --- | --- |',
    ...[...values].map(([value, meaning]) => {
      const mark = defaults.includes(value) ? ' (default)' : '';
      return `| \`${value}\`${mark} | ${cell(meaning)} |`;
    }),
    '',
  ];
}

const kinds = {
  one: 'exactly one of',
  set: 'a list; any one of its values is allowed',
  table: 'the id of the table that is asked next',
} as const;

const hits = {
  first: 'the first rule that matches decides',
  unique: 'exactly one rule matches each cell',
  any: 'any one of the rules that match may apply',
  all: 'all rules that match apply',
} as const;

function tableLines(vocabulary: Vocabulary, draft: TableDraft | undefined, id: string): string[] {
  const words = vocabulary.tables.get(id);
  if (words === undefined) return [];
  const cells = words.facts.reduce((n, name) => n * (vocabulary.facts.get(name)?.values.size ?? 1), 1);
  const lines = [
    `### ${id}`,
    '',
    words.about,
    '',
    `- Facts: ${words.facts.map((f) => `\`${f}\``).join(', ')} (${cells} cell${cells === 1 ? '' : 's'})`,
    `- Outcomes: ${words.outcomes.map((o) => `\`${o}\``).join(', ')}`,
  ];
  if (draft === undefined) return [...lines, ''];
  const on = Object.entries(draft.on).map(([key, value]) => `${key} ${value}`);
  const rule = ({ id, level, impact, says }: Pick<Rule, 'id' | 'level' | 'impact' | 'says'>): string =>
    `| \`${id}\` | ${level} | ${impact} | ${cell(says)} |`;
  return [
    ...lines,
    `- Asked for: ${on.join(', ')}`,
    `- Hit policy: \`${draft.hit}\` (${hits[draft.hit]})`,
    ...draft.impossible.map(({ when, because }) => {
      const condition = Object.entries(when).map(([fact, values]) => `${fact}: ${values.join(' | ')}`);
      return `- Impossible: \`${condition.join(', ')}\`, because ${because}`;
    }),
    '',
    '| rule | level | impact | says |',
    '| --- | --- | --- | --- |',
    ...draft.rules.map(rule),
    '',
  ];
}

/** The page of facts, outcomes and tables, as markdown. */
export function vocabularyPage(vocabulary: Vocabulary, drafts: readonly TableDraft[]): string {
  const usedBy = (name: string, key: 'facts' | 'outcomes'): string => {
    const users = [...vocabulary.tables.values()].filter((table) => table[key].includes(name));
    return users.length === 0 ? 'no table' : users.map(({ id }) => `[${id}](#${id})`).join(', ');
  };
  return [
    '<!-- Generated from spec/machines/ by `npm run generate`; do not edit. -->',
    '',
    '# Facts, outcomes and tables',
    '',
    'What the rules in `spec/machines/` may ask (facts) and what they may demand (outcomes). Both vocabularies are closed: the',
    'compiler refuses a word that does not stand here. The same words are enumerated in `spec/schema/rules.schema.json`.',
    '',
    '## Facts',
    '',
    ...[...vocabulary.facts.values()].flatMap(({ name, about, values }) => [
      `### ${name}`,
      '',
      about,
      '',
      ...valueTable(values),
      `Used by: ${usedBy(name, 'facts')}`,
      '',
    ]),
    '## Outcomes',
    '',
    ...[...vocabulary.outcomes.values()].flatMap((outcome) => [
      `### ${outcome.name}`,
      '',
      `${outcome.about} (${kinds[outcome.kind]}${outcome.default === undefined ? '; may be left out' : ''})`,
      '',
      ...(outcome.kind === 'table' ? [] : valueTable(outcome.values, outcome.default)),
      `Used by: ${usedBy(outcome.name, 'outcomes')}`,
      '',
    ]),
    ...(vocabulary.capabilities === undefined
      ? []
      : [
          '## Capabilities',
          '',
          'Words for `requires:`.',
          '',
          '| word | meaning |',
          '| --- | --- |',
          ...[...vocabulary.capabilities].map(([word, meaning]) => `| \`${word}\` | ${cell(meaning)} |`),
          '',
        ]),
    '## Tables',
    '',
    ...[...vocabulary.tables.keys()].flatMap((id) =>
      tableLines(
        vocabulary,
        drafts.find((d) => d.table === id),
        id,
      ),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
