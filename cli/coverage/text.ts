import type { Style } from '../../report/style.ts';
import { count, grouped, hanging } from '../../report/text.ts';
import {
  noVerdict,
  prefixOf,
  statementStatuses,
  undoneOf,
  type Coverage,
  type CoveringRule,
  type RuleStatus,
  type StatementCoverage,
  type StatementStatus,
} from './coverage.ts';

export interface TextOptions {
  width: number;
  style: Style;
  /** statements of these states only */
  statuses?: readonly StatementStatus[];
}

const statusWidth = 11;
// Mutants named for one statement; the rest is counted, and is in the table of rules.
const mostMutants = 3;
// Columns that text needs beside an id; with fewer it stands below.
const leastBeside = 40;

function statusPaint(status: StatementStatus | RuleStatus, style: Style): (text: string) => string {
  switch (status) {
    case 'proved':
    case 'covered':
    case 'shown':
    case 'free':
      return style.good;
    case 'leads-on':
    case 'model':
    case 'excused':
    case 'unsupported':
      return style.dim;
    case 'unexercised':
    case 'unproved':
      return style.warn;
    case 'open':
      return style.bad;
  }
}

/** `2.1.1.4 Effects of Retry (1); 2.2` -> `2.1.1.4`: where a reader of the document looks. */
function heading({ id, section }: StatementCoverage): string {
  const [first = ''] = section.split(';');
  return `${prefixOf(id)} ${/^[\d.]*\d/.exec(first)?.[0] ?? first}`;
}

function ruleText(id: string, rule: CoveringRule | undefined): string {
  if (rule === undefined) return id;
  const notes = [
    rule.level === 'must' ? undefined : rule.level,
    rule.requires.length === 0 ? undefined : `requires ${rule.requires.join(', ')}`,
    rule.exercised === undefined ? undefined : `${grouped(rule.exercised)} x`,
    rule.verdict === undefined || rule.verdict === 'pass' ? undefined : rule.verdict,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? id : `${id} (${notes.join(', ')})`;
}

function some(ids: readonly string[]): string {
  const more = ids.length - mostMutants;
  const named = ids.slice(0, more === 1 ? mostMutants + 1 : mostMutants).join(', ');
  return more > 1 ? `${named} and ${more} more` : named;
}

/** What stands beside a statement: its rules, or why there are none; then, dim, what proves it. */
function details(
  entry: StatementCoverage,
  rules: ReadonlyMap<string, CoveringRule>,
): { text: string; more?: string } {
  const { status, excuse } = entry;
  if (excuse !== undefined) {
    const where = excuse.where === undefined ? '' : ` (${excuse.where})`;
    return { text: `${excuse.kind}${where}: ${excuse.because}` };
  }
  if (status === 'open') return { text: entry.statement };
  const text = entry.rules.map((id) => ruleText(id, rules.get(id))).join(', ');
  if (entry.mutants.length > 0) return { text, more: `kills ${some(entry.mutants)}` };
  switch (status) {
    case 'model':
      return { text, more: 'binds the switch of the suites, and no device' };
    case 'leads-on':
      return { text, more: 'cannot be broken by itself' };
    case 'unsupported':
      return { text, more: `the device has no ${(entry.lacks ?? []).join(', ')}` };
    case 'proved':
    case 'covered':
    case 'excused':
    case 'unexercised':
    case 'unproved':
      if (entry.neighbours.length > 0)
        return { text, more: `no mutant of its own; its rules kill ${some(entry.neighbours)}` };
      return status === 'covered' ? { text } : { text, more: 'no mutant breaks it' };
  }
}

/** A status, an id, and text beside or below them. */
function row(
  head: { word: string; paint: (text: string) => string; id: string; idWidth: number },
  texts: readonly { text: string; dim: boolean }[],
  { width, style }: TextOptions,
): string[] {
  const { word, paint, id, idWidth } = head;
  const first = `  ${paint(word.padEnd(statusWidth))} ${id.padEnd(idWidth)}`;
  const indent = statusWidth + idWidth + 5;
  const beside = width - indent >= leastBeside;
  const column = beside ? indent : statusWidth + 5;
  const lines = texts.flatMap(({ text, dim }) =>
    hanging(' '.repeat(column), text, width).map((line) => (dim ? style.dim(line) : line)),
  );
  if (!beside) return [first.trimEnd(), ...lines];
  const [begin = '', ...rest] = lines;
  return [`${first}${begin.slice(indent - 2)}`.trimEnd(), ...rest];
}

function statementLines(coverage: Coverage, options: TextOptions): string[] {
  const { style, statuses } = options;
  const rules = new Map(coverage.rules.map((rule) => [rule.id, rule]));
  const shown = coverage.statements.filter(({ status }) => statuses?.includes(status) ?? true);
  const idWidth = Math.max(0, ...shown.map(({ id }) => id.length));
  const lines: string[] = [];
  for (const document of new Set(shown.map((entry) => entry.document))) {
    const members = shown.filter((entry) => entry.document === document);
    lines.push(style.bold(`${document} (${count(members.length, 'statement')})`), '');
    for (const title of new Set(members.map(heading))) {
      lines.push(style.bold(title));
      for (const entry of members.filter((member) => heading(member) === title)) {
        const { text, more } = details(entry, rules);
        const word = entry.status === 'open' ? 'OPEN' : entry.status;
        lines.push(
          ...row(
            { word, paint: statusPaint(entry.status, style), id: entry.id, idWidth },
            [
              { text, dim: entry.status === 'open' || entry.status === 'excused' },
              ...(more === undefined ? [] : [{ text: more, dim: true }]),
            ],
            options,
          ),
        );
      }
      lines.push('');
    }
  }
  return lines;
}

const ruleRemark: Record<RuleStatus, string> = {
  proved: '',
  shown: '',
  model: '',
  unproved: 'no mutant breaks it',
  'leads-on': 'only leads on to the table that decides',
  free: 'a choice, or advice: nothing need break it',
};

function ruleLines(rules: readonly CoveringRule[], options: TextOptions): string[] {
  const { style } = options;
  const texts = rules.map((rule) => ruleText(rule.id, rule));
  const idWidth = Math.max(0, ...texts.map((text) => text.length));
  return rules.flatMap((rule, i) => {
    const text = rule.mutants.length > 0 ? rule.mutants.join(', ') : ruleRemark[rule.status];
    return row(
      { word: rule.status, paint: statusPaint(rule.status, style), id: texts[i] ?? '', idWidth },
      [{ text, dim: true }],
      options,
    );
  });
}

/** Counts by document, as a table. */
function summaryLines(coverage: Coverage, style: Style): string[] {
  const states = statementStatuses.filter((status) => coverage.counts[status] > 0);
  const rows = coverage.documents.map(({ id, prefix, counts }) => ({ name: `${id} (${prefix})`, counts }));
  if (rows.length > 1) rows.push({ name: 'all', counts: coverage.counts });
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const columns = states.map((status) => ({ status, width: Math.max(status.length, 6) }));
  const cell = (n: number, { status, width }: (typeof columns)[number]): string => {
    const text = (n === 0 ? '-' : grouped(n)).padStart(width);
    return n === 0 ? style.dim(text) : statusPaint(status, style)(text);
  };
  return [
    style.bold(
      `${''.padEnd(nameWidth)}  ${'all'.padStart(6)}  ${columns.map(({ status, width }) => status.padStart(width)).join('  ')}`,
    ),
    ...rows.map(({ name, counts }) => {
      const sum = Object.values(counts).reduce((a, b) => a + b, 0);
      const cells = columns.map((column) => cell(counts[column.status], column));
      return `${name.padEnd(nameWidth)}  ${grouped(sum).padStart(6)}  ${cells.join('  ')}`;
    }),
  ];
}

/** With the results of a run: what no run on this device can say anything about. */
function unjudgedLines({ run, statements, counts }: Coverage, style: Style): string[] {
  if (run === undefined) return [];
  const never = statements.filter(({ status }) => noVerdict.includes(status)).length;
  const lacking = new Map<string, number>();
  for (const { lacks } of statements) {
    const words = lacks?.join(', ');
    if (words !== undefined) lacking.set(words, (lacking.get(words) ?? 0) + 1);
  }
  const rows: [number, string][] = [
    ...[...lacking]
      .toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b))
      .map(([words, n]): [number, string] => [n, `need what the device does not have: ${words}`]),
    [counts.model, 'bind the switch of the suites (model)'],
    [counts['leads-on'], 'cannot be broken by themselves (leads-on)'],
    [counts.excused, 'show neither on the wire nor at the verbs (excused)'],
    [counts.open, 'are covered by no rule (open)'],
  ];
  return [
    style.bold(
      `Says nothing about ${count(never, 'statement')} of ${grouped(statements.length)}, however long it runs on ${run.adapter}`,
    ),
    ...rows.filter(([n]) => n > 0).map(([n, text]) => `  ${grouped(n).padStart(5)}  ${text}`),
    '',
  ];
}

/** One line: whether everything is done. */
function verdictLine(coverage: Coverage, style: Style): string {
  const { statements, rules } = undoneOf(coverage);
  if (statements.length === 0 && rules.length === 0) {
    return style.good('No statement is open, and no must rule without a mutant.');
  }
  const parts = [
    statements.length === 0 ? undefined : `${count(statements.length, 'statement')} not done`,
    rules.length === 0 ? undefined : `${count(rules.length, 'must rule')} without a mutant`,
  ];
  return style.bad(parts.filter((part) => part !== undefined).join(', '));
}

/** Everything: statements by document and section, the rules that cover them, the counts. */
export function coverageText(coverage: Coverage, options: TextOptions): string {
  const { style, statuses } = options;
  const unproved = coverage.rules.filter(({ status }) => status === 'unproved');
  const listed = statuses === undefined ? coverage.rules : statuses.includes('unproved') ? unproved : [];
  const lines = [
    ...statementLines(coverage, options),
    ...(listed.length === 0
      ? []
      : [
          style.bold(
            statuses === undefined ? `Rules (${listed.length})` : `Rules without a mutant (${listed.length})`,
          ),
          ...ruleLines(listed, options),
          '',
        ]),
    ...summaryLines(coverage, style),
    '',
    ...unjudgedLines(coverage, style),
    verdictLine(coverage, style),
  ];
  return `${lines.join('\n')}\n`;
}
