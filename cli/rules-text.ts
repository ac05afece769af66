import { impacts } from '../spec/impacts.ts';
import type { DecisionTable, Outcome, Rule, RuleSet } from '../oracle/rules.ts';
import type { Style } from '../report/style.ts';
import { hanging } from '../report/text.ts';
import type { Statement } from '../oracle/compile/statements.ts';
import { documentText, type Citations } from './explain/sources.ts';

/** Rules by table, one line each with its level, and what it says below. */
export function rulesList(rules: readonly Rule[], set: RuleSet, width: number, style: Style): string {
  const lines: string[] = [];
  for (const table of set.tables.values()) {
    const members = rules.filter((rule) => rule.table === table.id);
    if (members.length === 0) continue;
    lines.push(style.bold(table.id), ...hanging('', table.about, width).map((line) => style.dim(line)));
    for (const rule of members) {
      lines.push(`  ${rule.id} ${style.dim(`(${rule.level})`)}`, ...hanging('      ', rule.says, width));
    }
    lines.push('');
  }
  lines.push(`${rules.length} rules in ${set.tables.size} tables, digest ${set.digest}`);
  return `${lines.join('\n')}\n`;
}

function condition(rule: Rule, table: DecisionTable | undefined): string[] {
  return (table?.facts ?? [])
    .map(({ name }) => ({ name, values: rule.when[name] }))
    .filter(({ values }) => values !== undefined)
    .map(({ name, values = [] }) => `${name} is ${values.join(' or ')}`);
}

function outcome(alternative: Outcome): string[] {
  return Object.entries(alternative).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : value.join(' or ')}`,
  );
}

/** The documents that the statements come from, and other works that say the same. */
function sourceLines(
  covered: readonly Statement[],
  citations: Citations,
  width: number,
  style: Style,
): string[] {
  if (covered.length === 0) return [];
  const found = covered.map((statement) => ({ statement, ...citations.of(statement) }));
  const documents = new Set(
    found.map(({ statement, document }) => {
      const prefix = statement.id.slice(0, statement.id.indexOf('-') + 1);
      return `${prefix}  ${document.english}. ${documentText(document)}`;
    }),
  );
  const also = new Set(found.flatMap((citation) => citation.also));
  const works = also.size === 0 ? ['no other work that we know says it'] : [...also];
  return [
    '',
    style.bold('Documents'),
    ...[...documents].flatMap((line) => hanging('  ', line, width)),
    '',
    style.bold('Also in'),
    ...works.flatMap((line) => hanging('  ', line, width)),
  ];
}

/** One rule with everything that is known of it. */
export function ruleText(
  rule: Rule,
  set: RuleSet,
  statements: readonly Statement[],
  citations: Citations,
  width: number,
  style: Style,
): string {
  const table = set.tables.get(rule.table);
  const covered = statements.filter(({ id }) => rule.covers.includes(id));
  const field = (name: string, text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : hanging(`${name.padEnd(11)} `, text, width);
  const on = Object.entries(table?.on ?? {}).map(([key, value]) => `${key} ${value}`);
  const conditions = condition(rule, table);
  const when = conditions.length === 0 ? ['always'] : conditions;
  const lines = [
    style.bold(rule.id),
    ...hanging('  ', rule.says, width),
    '',
    ...field('level', rule.level),
    ...field('impact', `${rule.impact}: ${impacts[rule.impact]}`),
    ...field('table', `${rule.table}: ${table?.about ?? ''}`),
    ...field('on', on.join(', ')),
    ...field('requires', rule.requires.join(', ')),
    ...field('defined in', `${rule.location.file}:${rule.location.line}`),
    ...field('source', rule.source),
    ...field('erratum', rule.erratum),
    ...field('latitude', rule.latitude),
    ...field('uncovered', rule.uncovered),
    '',
    style.bold('When'),
    ...when.flatMap((text) => hanging('  ', text, width)),
    '',
    ...rule.outcomes.flatMap((alternative, i) => [
      style.bold(i === 0 ? 'Then' : 'Or'),
      ...outcome(alternative).flatMap((text) => hanging('  ', text, width)),
      '',
    ]),
    ...(covered.length === 0 ? [] : [style.bold('Covers')]),
    ...covered.flatMap((statement) => [
      `  ${style.accent(statement.id)} ${style.dim(`(section ${statement.source.section})`)}`,
      ...hanging('      ', statement.statement, width),
    ]),
    ...sourceLines(covered, citations, width, style),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
