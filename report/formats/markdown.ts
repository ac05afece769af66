import type { CheckResult } from '../check-results.ts';
import { placeOf } from '../check-words.ts';
import { replayCommand } from '../failure.ts';
import { indifferenceText, influenceText, sortInfluences } from '../influences.ts';
import { drawLadder } from '../ladder/ladder.ts';
import { newsOf } from '../news.ts';
import type { ReportContext } from '../reporter.ts';
import type { Failure, LadderLine, RuleResult, RunResult, Verdict } from '../results.ts';
import { verdictWord } from '../rules-table.ts';
import { count, duration, grouped } from '../text.ts';

const ladderWidth = 100;
/** Failures that are told in full: comments and summaries of forges hold only so much. */
const toldInFull = 20;

/** Text within a line of markdown: nothing in it means anything, also not as HTML or within a table. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~]/g, (found) => `\\${found}`)
    .replaceAll('&', '&amp;');
}

/** A block of text as it is; the fence is longer than any within. */
function fenced(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, text, fence];
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text.replaceAll(/\s+/g, ' ')}${pad}${fence}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

const order: readonly Verdict[] = [
  'fail',
  'error',
  'deviation',
  'inconclusive',
  'pass',
  'observed',
  'vacuous',
  'unsupported',
];

function countsTable(rules: readonly RuleResult[]): string[] {
  const words = [...order.map((verdict) => verdictWord({ verdict })), 'known'];
  const counted = words
    .map((word) => [word, rules.filter((rule) => verdictWord(rule) === word).length] as const)
    .filter(([, n]) => n > 0);
  return table(
    counted.map(([word]) => word),
    [counted.map(([, n]) => grouped(n))],
  );
}

function ladderBlock(ladder: readonly LadderLine[]): string[] {
  const drawn = drawLadder(ladder, ladderWidth).join('\n');
  return fenced(drawn, 'text');
}

function failurePart(failure: Failure, context: ReportContext): string[] {
  const { matter, rest } = sortInfluences(failure.influences ?? []);
  const { times, of } = failure.reproduced;
  return [
    `### ${inline(failure.rule)}${failure.known ? ' (known)' : ''}`,
    '',
    inline(failure.says),
    '',
    `- Expected: ${inline(failure.expected)}`,
    `- Observed: ${inline(failure.observed)}`,
    `- Level ${failure.level}, property ${code(failure.property)}, reproduced ${times}/${of}`,
    ...(failure.statements.length === 0 ? [] : [`- Statements: ${failure.statements.map(code).join(', ')}`]),
    ...matter.map((entry) => `- Matters: ${inline(influenceText(entry))}`),
    ...(rest.length === 0 ? [] : [`- No matter: ${inline(indifferenceText(rest))}`]),
    '',
    ...ladderBlock(failure.ladder),
    '',
    ...fenced(replayCommand(failure, context.adapter), 'sh'),
    '',
  ];
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, '', ...items.map((item) => `- ${inline(item)}`), ''];
}

function folded(title: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : ['<details>', `<summary>${title}</summary>`, '', ...body, '</details>', ''];
}

function rulesTable(rules: readonly RuleResult[]): string[] {
  const rows = rules.map((rule) => [
    verdictWord(rule),
    code(rule.id),
    rule.level,
    grouped(rule.exercised),
    inline(rule.known?.reason ?? rule.why ?? rule.says),
  ]);
  return table(['verdict', 'rule', 'level', 'exercised', 'remark'], rows);
}

function document(lines: readonly string[]): string {
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A summary for a pull request or a job's page: counts, failures in full with their ladders, the rest folded. */
export function markdownRun(result: RunResult, context: ReportContext): string {
  const news = newsOf(result);
  const failures = result.failures.toSorted((a, b) => Number(a.known) - Number(b.known));
  const fresh = failures.filter(({ known }) => !known).slice(0, toldInFull);
  const known = result.rules.filter((rule) => verdictWord(rule) === 'known');
  const others = result.rules.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'error');
  const seconds = (result.durationMs / 1000).toFixed(1);
  return document([
    `# rdma-conform: ${inline(result.adapter.name)}`,
    '',
    ...countsTable(result.rules),
    `${count(result.cases, 'case')}, ${count(result.packets, 'packet')}, ${seconds} s, seed ${result.seed}, ` +
      `rules ${code(result.spec)}, rdma-conform ${context.version}`,
    '',
    ...listed('Partial', result.partial ?? []),
    ...listed('Errors', result.errors),
    ...(news === undefined ? [] : listed('New divergences', news.fresh)),
    ...listed('Known divergences that did not show', result.unexpectedPasses),
    ...(fresh.length === 0 ? [] : ['## Failures', '', ...fresh.flatMap((f) => failurePart(f, context))]),
    ...(others.length === 0 ? [] : ['## Inconclusive', '', ...rulesTable(others)]),
    ...folded(`Known divergences (${known.length})`, rulesTable(known)),
    ...folded(`All rules (${result.rules.length})`, rulesTable(result.rules)),
    ...folded(
      'Not judged',
      result.notJudged.map(({ what, count: n }) => `- ${grouped(n)} ${inline(what)}`),
    ),
  ]);
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The same for a capture, or a file of traces. */
export function markdownCheck(result: CheckResult, context: ReportContext): string {
  const shown = result.violations.slice(0, toldInFull);
  const damage =
    result.damage === undefined ? [] : [`damaged at byte ${result.damage.offset}: ${result.damage.message}`];
  return document([
    `# rdma-conform: ${inline(result.file)}`,
    '',
    ...countsTable(result.rules),
    `${count(result.frames, 'frame')}, ${count(result.packets, 'packet')} judged, rules ${code(result.spec)}, ` +
      `rdma-conform ${context.version}`,
    '',
    ...listed('Errors', [...damage, ...result.errors]),
    ...(shown.length === 0 ? [] : ['## Violations', '']),
    ...shown.flatMap((v) => [
      `### ${inline(v.rule)}`,
      '',
      inline(v.says),
      '',
      `- ${capitalised(placeOf(v))}, ${duration(v.t)}, ${inline(v.qp)}`,
      `- Expected: ${inline(v.expected)}`,
      `- Observed: ${inline(v.observed)}`,
      '',
      ...(v.ladder === undefined ? [] : [...ladderBlock(v.ladder), '']),
    ]),
    ...folded(
      `Rules that decided something`,
      rulesTable(result.rules.filter(({ exercised }) => exercised > 0)),
    ),
    ...listed('Inconclusive', result.inconclusive),
  ]);
}
