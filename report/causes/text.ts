import type { Cause } from './causes.ts';
import { seenText } from './occasion.ts';
import { failureLines, replayCommand, type FailureText } from '../failure.ts';
import { conditionText } from '../influences.ts';
import type { Failure } from '../results.ts';
import type { Style } from '../style.ts';
import { grouped, hanging } from '../text.ts';

/** Rules of a cause, the one that names it first. */
export function rulesOf({ findings, consequences }: Cause): string[] {
  return [...new Set([...findings, ...consequences].map(({ rule }) => rule))];
}

/** The name of a cause beside which its rule stands. */
export function whatIsWrong({ name, findings: [lead] }: Cause): string {
  const rule = ` (${lead?.rule})`;
  return name.endsWith(rule) ? name.slice(0, -rule.length) : name;
}

function others(name: string, failures: readonly Failure[], width: number): string[] {
  return failures.flatMap(({ rule, signature }, i) => {
    const label = (i === 0 ? name : '').padEnd(11);
    return hanging(`   ${label} `, signature === undefined ? rule : `${rule}: ${signature}`, width);
  });
}

/** What the impact of a cause means, and the rule by which it has it where that is another one than the one that names it. */
export function impactText({ says, of }: NonNullable<Cause['impact']>): string {
  return of === undefined ? says : `${says} (By ${of}.)`;
}

/** A cause with the exchange that shows it best, what else shows it, and what follows from it. */
export function causeLines(cause: Cause, index: number, options: FailureText): string[] {
  const { name, impact, known, findings, consequences, matters } = cause;
  const { style, width } = options;
  const [lead, ...more] = findings;
  if (lead === undefined) return [];
  const paint = known ? style.warn : style.bad;
  const suffix = known ? ' (known divergence)' : '';
  const seen = seenText(cause);
  return [
    ...hanging(`${index}. `, `${name}${suffix}`, width).map((line) => paint(style.bold(line))),
    ...(seen === '' ? [] : hanging('   seen        ', seen, width)),
    ...(impact === undefined ? [] : hanging('   impact      ', `${impact.id}: ${impactText(impact)}`, width)),
    ...others('also shows', more, width),
    ...others('follows', consequences, width),
    ...matters.slice(0, 1).flatMap((part) => hanging('   only with   ', conditionText(part), width)),
    '',
    ...failureLines(lead, lead.rule, options),
  ];
}

/** A cause in a few lines: what was expected and observed, and how to run it again. */
export function briefLines(cause: Cause, index: number, { width, style, adapter }: FailureText): string[] {
  const [lead] = cause.findings;
  if (lead === undefined) return [];
  const field = (name: string, text: string): string[] => hanging(`   ${name.padEnd(11)} `, text, width);
  const seen = seenText(cause);
  return [
    ...hanging(`${index}. `, cause.name, width).map((line) => style.bad(style.bold(line))),
    ...(seen === '' ? [] : field('seen', seen)),
    ...(cause.impact === undefined ? [] : field('impact', cause.impact.id)),
    ...field('rules', rulesOf(cause).join(', ')),
    ...field('expected', lead.expected).map((line) => style.good(line)),
    ...field('observed', lead.observed).map((line) => style.bad(line)),
    `   ${style.dim('replay')}      ${replayCommand(lead, adapter)}`,
    '',
  ];
}

/** A cause, and its place among all of a run, from 1. */
export interface Ranked {
  cause: Cause;
  number: number;
}

interface TableText {
  width: number;
  style: Style;
  /** causes that are named one by one; the rest is counted */
  most: number;
  /** whether a name that is longer than a line goes on in the next one */
  wraps: boolean;
}

/** A cause in one line: the rule that names it, how many others, what is wrong, and when that was seen, as far as there is room. */
function tableLines({ cause, number }: Ranked, { width, style, wraps }: TableText): string[] {
  const [rule = '', ...more] = rulesOf(cause);
  const start = `${String(number).padStart(4)}. `;
  const rules = `${rule}${more.length === 0 ? '' : ` +${more.length}`}: `;
  const what = whatIsWrong(cause);
  const seen = seenText(cause);
  const room = Math.max(10, width - start.length - rules.length);
  const whole = `${what}, ${seen}`;
  const name = seen === '' || whole.length > room ? what : whole;
  const paint = cause.known ? style.dim : style.bad;
  const [first = '', ...rest] = wraps
    ? hanging(start, `${rules}${name}`, width)
    : [`${start}${rules}${name.length <= room ? name : `${name.slice(0, room - 3)}...`}`];
  return [`${paint(start)}${first.slice(start.length)}`, ...rest];
}

/** The causes below their impacts, each in a line. */
export function causeTable(ranked: readonly Ranked[], text: TableText): string[] {
  const shown = ranked.slice(0, text.most);
  const lines = shown.flatMap((one, i) => {
    const impact = one.cause.impact?.id;
    const isNew = impact !== undefined && impact !== shown[i - 1]?.cause.impact?.id;
    return [...(isNew ? [`  ${impact}`] : []), ...tableLines(one, text)];
  });
  const rest = ranked.length - shown.length;
  return rest <= 0 ? lines : [...lines, text.style.dim(`      and ${grouped(rest)} more`)];
}
