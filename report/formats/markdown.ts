import { impactText, rulesOf } from '../causes/text.ts';
import { causesOf, type Cause } from '../causes/causes.ts';
import { seenText } from '../causes/occasion.ts';
import type { CheckResult } from '../check-results.ts';
import { placeOf } from '../check-words.ts';
import { replayCommand, reproducedText, sourceText } from '../failure.ts';
import { indifferenceText, influenceText, sortInfluences } from '../influences.ts';
import { drawLadder } from '../ladder/ladder.ts';
import { newsOf } from '../news.ts';
import type { ReportContext } from '../reporter.ts';
import type { Failure, LadderLine, RuleResult, RunResult, Verdict } from '../results.ts';
import { verdictWord } from '../rules-table.ts';
import { endedText } from '../summary.ts';
import { count, duration, grouped, runTime } from '../text.ts';
import { code, document, fenced, folded, inline, table } from './markdown-text.ts';

const ladderWidth = 100;
/** Causes that are shown in full: comments and summaries of forges hold only so much. */
const shownInFull = 20;

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

function causePart(cause: Cause, number: number, context: ReportContext): string[] {
  const { name, impact, findings, consequences } = cause;
  const [failure, ...more] = findings;
  if (failure === undefined) return [];
  const { matter, rest } = sortInfluences(failure.influences ?? []);
  const seen = seenText(cause);
  const source = sourceText(failure);
  const named = (members: readonly Failure[]): string =>
    members
      .map(
        ({ rule, signature }) => `${code(rule)}${signature === undefined ? '' : ` (${inline(signature)})`}`,
      )
      .join(', ');
  return [
    `### ${number}. ${inline(name)}`,
    '',
    `${code(failure.rule)}: ${inline(failure.says)}`,
    '',
    ...(seen === '' ? [] : [`- Seen: ${inline(seen)}`]),
    ...(impact === undefined ? [] : [`- Impact: ${inline(impact.id)}: ${inline(impactText(impact))}`]),
    `- Expected: ${inline(failure.expected)}`,
    `- Observed: ${inline(failure.observed)}`,
    `- Level ${failure.level}, property ${code(failure.property)}, reproduced ${reproducedText(failure)}`,
    ...(more.length === 0 ? [] : [`- Also shows: ${named(more)}`]),
    ...(consequences.length === 0 ? [] : [`- Follows: ${named(consequences)}`]),
    ...(failure.statements.length === 0 ? [] : [`- Statements: ${failure.statements.map(code).join(', ')}`]),
    ...(source === undefined ? [] : [`- Source: ${inline(source)}`]),
    ...matter.map((entry) => `- Matters: ${inline(influenceText(entry))}`),
    ...(rest.length === 0 ? [] : [`- No matter: ${inline(indifferenceText(rest))}`]),
    '',
    ...ladderBlock(failure.ladder),
    '',
    ...fenced(replayCommand(failure, context.adapter), 'sh'),
    '',
  ];
}

function causesTable(causes: readonly Cause[]): string[] {
  const rows = causes.map((cause) => [
    inline(cause.name),
    inline(cause.impact?.id ?? ''),
    rulesOf(cause).map(code).join(', '),
  ]);
  return table(['cause', 'impact', 'rules'], rows);
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, '', ...items.map((item) => `- ${inline(item)}`), ''];
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

/** A summary for a pull request or a job's page: counts, causes with the exchange that shows each best, the rest folded. */
export function markdownRun(result: RunResult, context: ReportContext): string {
  const news = newsOf(result);
  const ended = endedText(result);
  const causes = causesOf(result);
  const fresh = causes.filter((cause) => !cause.known);
  const knownOnes = causes.filter((cause) => cause.known);
  const inFull = fresh.slice(0, shownInFull);
  const rest = fresh.slice(shownInFull);
  const known = result.rules.filter((rule) => verdictWord(rule) === 'known');
  const others = result.rules.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'error');
  return document([
    `# rdma-conform: ${inline(result.adapter.name)}`,
    '',
    ...countsTable(result.rules),
    `${count(result.cases, 'case')}, ${count(result.packets, 'packet')}, ${runTime(result.durationMs)}, seed ${result.seed}, ` +
      `rules ${code(result.spec)}, rdma-conform ${context.version}`,
    '',
    ...listed('Partial', result.partial ?? []),
    ...(ended === undefined ? [] : [inline(ended), '']),
    ...listed('Errors', result.errors),
    ...(news === undefined ? [] : listed('New divergences', news.fresh)),
    ...listed('Known divergences that did not show', result.unexpectedPasses),
    ...(inFull.length === 0 ? [] : [`## Causes (${fresh.length}), the gravest first`, '']),
    ...inFull.flatMap((cause, i) => causePart(cause, i + 1, context)),
    ...(rest.length === 0 ? [] : [`${count(rest.length, 'more cause')}:`, '', ...causesTable(rest)]),
    ...(others.length === 0 ? [] : ['## Inconclusive', '', ...rulesTable(others)]),
    ...folded(`Causes of known divergences (${knownOnes.length})`, causesTable(knownOnes)),
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
  const shown = result.violations.slice(0, shownInFull);
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
