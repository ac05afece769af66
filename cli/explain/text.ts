import { documentText, type Citations } from './sources.ts';
import type { Statement } from '../../oracle/compile/statements.ts';
import type { Vocabulary } from '../../oracle/compile/vocabulary.ts';
import { outcomeWord, outcomeWords } from '../../oracle/rulebook/outcome.ts';
import type { Outcome, Rule, RuleSet } from '../../oracle/rules.ts';
import type { Style } from '../../report/style.ts';
import { opcodes } from '../../spec/constants.ts';
import { count, hanging } from '../../report/text.ts';
import type { Found } from './find.ts';
import { rowLines } from './rows.ts';
import type { Topic } from './topic.ts';
import { wireLine } from './wire.ts';

export interface ExplainOptions {
  width: number;
  style: Style;
}

/** Lines of one side: what completes or is raised, and the QP's state. */
function requesterLine(outcome: Outcome): string {
  const state = outcomeWord(outcome, 'requesterQp');
  const after = state === 'error' ? '; the QP goes to ERR' : state === 'sqe' ? '; the QP goes to SQE' : '';
  return `${outcomeWords(outcome, 'requesterStatus').join(' or ')}${after}`;
}

function responderLine(outcome: Outcome): string {
  const status = outcomeWords(outcome, 'responderStatus').join(' or ');
  const event = outcomeWords(outcome, 'responderEvent').join(' or ');
  const state = outcomeWord(outcome, 'responderQp');
  const after =
    state === 'error' ? '; the QP goes to ERR' : state === 'either' ? '; the QP may go to ERR' : '';
  switch (outcomeWord(outcome, 'responderReport') ?? 'none') {
    case 'message':
      return `receive completion IBV_WC_SUCCESS${after}`;
    case 'completion':
      return `receive completion ${status}${after}`;
    case 'event':
      return `${event}${after}`;
    case 'either':
      return `receive completion ${status}, or ${event}${after}`;
    default:
      return `software sees nothing${after}`;
  }
}

/** Value of an outcome in the words of the vocabulary. */
function inWords(outcome: Outcome, key: string, vocabulary: Vocabulary): string {
  const value = outcomeWord(outcome, key) ?? '';
  return vocabulary.outcomes.get(key)?.values.get(value) ?? value;
}

function causeLines(rule: Rule, set: RuleSet, vocabulary: Vocabulary, options: ExplainOptions): string[] {
  const { width, style } = options;
  const service = set.tables.get(rule.table)?.on['service'] ?? '';
  const asked = (rule.when['asked'] ?? []).map((v) => vocabulary.facts.get('asked')?.values.get(v) ?? v);
  const where = `(${[service, ...(asked.length > 0 ? [asked.join(', ')] : [])].join(': ')})`;
  const fits = 2 + rule.id.length + 1 + where.length <= width;
  const lines = [
    ...(fits
      ? [`  ${style.accent(rule.id)} ${style.dim(where)}`]
      : [`  ${style.accent(rule.id)}`, ...hanging('    ', where, width).map((line) => style.dim(line))]),
    ...hanging('    ', rule.says, width),
  ];
  for (const [i, outcome] of rule.outcomes.entries()) {
    if (i > 0) lines.push('    or');
    const rows: [string, string][] = [
      ['requester', requesterLine(outcome)],
      ['on the wire', wireLine(rule, outcome, set)],
      ['responder', responderLine(outcome)],
      ['memory', inWords(outcome, 'responderMemory', vocabulary)],
    ];
    lines.push(...rows.flatMap(([name, text]) => hanging(`    ${name.padEnd(13)}`, text, width)));
  }
  return [...lines, ...hanging(`    ${'sources'.padEnd(13)}`, rule.covers.join(', '), width), ''];
}

function ruleLines(heading: string, rules: readonly Rule[], { width, style }: ExplainOptions): string[] {
  if (rules.length === 0) return [];
  return [
    style.bold(`${heading} (${rules.length})`),
    ...rules.flatMap((rule) => [
      `  ${style.accent(rule.id)} ${style.dim(`(${rule.table}, ${rule.level})`)}`,
      ...hanging('    ', rule.says, width),
    ]),
    '',
  ];
}

function statementLines(
  statements: readonly Statement[],
  citations: Citations,
  { width, style }: ExplainOptions,
): string[] {
  if (statements.length === 0) return [];
  return [
    style.bold(`What the documents say (${statements.length})`),
    ...statements.flatMap((found) => [
      `  ${style.accent(found.id)}`,
      ...hanging('    ', found.statement, width),
      ...(found.erratum === null ? [] : hanging('    erratum: ', found.erratum, width).map(style.dim)),
      ...sourceLines(found, citations, width).map(style.dim),
    ]),
    '',
  ];
}

/** The document of a statement, and the works that say the same. */
function sourceLines(statement: Statement, citations: Citations, width: number): string[] {
  const { text, also } = citations.of(statement);
  return [text, ...also.map((work) => `also: ${work}`)].flatMap((line) => hanging('    ', line, width));
}

function headingLines({ name, what }: Topic, { width, style }: ExplainOptions): string[] {
  if (name.length + 2 + what.length <= width) return [style.bold(name) + style.dim(`  ${what}`)];
  return [style.bold(name), ...hanging('  ', what, width).map((line) => style.dim(line))];
}

/** A topic with its causes, its effects at both ends, the rules and the sources. */
export function topicText(
  topic: Topic,
  found: Found,
  set: RuleSet,
  vocabulary: Vocabulary,
  citations: Citations,
  options: ExplainOptions,
): string {
  const { width, style } = options;
  const { causes, demands, conditions, statements } = found;
  const lines = [
    ...headingLines(topic, options),
    ...(topic.means === undefined ? [] : hanging('  ', topic.means, width)),
    '',
    ...(causes.length === 0 ? [] : [style.bold(`Causes, and effects at both ends (${causes.length})`)]),
    ...causes.flatMap((rule) => causeLines(rule, set, vocabulary, options)),
    ...rowLines(found.rows, width, style),
    ...ruleLines('Rules that call for it or allow it', demands, options),
    ...ruleLines('Rules for where it is the case', conditions, options),
    ...statementLines(statements, citations, options),
  ];
  const rules = causes.length + demands.length + conditions.length;
  if (rules + statements.length === 0) lines.push(...unnamedLines(topic, width));
  else
    lines.push(style.dim(`${count(rules, 'rule')}; "rdma-conform explain ID" shows one with its conditions`));
  return `${lines.join('\n')}\n`;
}

/** What rules call the operations that they do not name by opcode. */
const operationWords = { send: 'SEND', write: 'RDMA WRITE', read: 'READ', atomic: 'ATOMIC' } as const;

/** Of a topic that neither rules nor statements name: where to look. */
function unnamedLines({ kind, name }: Topic, width: number): string[] {
  const family = kind === 'opcode' ? opcodes.find((o) => o?.name === name)?.family : undefined;
  if (family === undefined) return ['No rule and no statement names it.'];
  const word = operationWords[family];
  const says = `Rules name what a packet asks for, not its opcode: "rdma-conform explain ${word}" shows where ${word} is used.`;
  return hanging('', says, width);
}

/** A statement with its erratum and the rules that cover it. */
export function statementText(
  statement: Statement,
  rules: readonly Rule[],
  citations: Citations,
  options: ExplainOptions,
): string {
  const { width, style } = options;
  const field = (name: string, text: string | null | undefined): string[] =>
    text === undefined || text === null || text === '' ? [] : hanging(`${name.padEnd(12)} `, text, width);
  const { text, document, also } = citations.of(statement);
  const { id, kind, role, service, level, stimulus, expectation, erratum } = statement;
  const lines = [
    style.bold(id),
    ...hanging('  ', statement.statement, width),
    '',
    ...field('defined in', text),
    ...field('', documentText(document)),
    ...(also.length === 0 ? ['no other work that we know says it'] : also).flatMap((work, i) =>
      field(i === 0 ? 'also in' : '', work),
    ),
    ...field('kind', `${kind}, ${level}; ${role}${service.length > 0 ? `; ${service.join(', ')}` : ''}`),
    ...field('stimulus', stimulus),
    ...field('expectation', expectation),
    ...field('erratum', erratum),
    '',
    ...ruleLines('Rules that cover it', rules, options),
    ...(rules.length === 0 ? ['No rule covers it; "rdma-conform coverage" says why.', ''] : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
