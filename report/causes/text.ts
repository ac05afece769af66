import type { Cause } from './causes.ts';
import { seenText } from './occasion.ts';
import { failureLines, type FailureText } from '../failure.ts';
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
    ...(impact === undefined ? [] : hanging('   impact      ', `${impact.id}: ${impact.says}`, width)),
    ...others('also shows', more, width),
    ...others('follows', consequences, width),
    ...matters.slice(0, 1).flatMap((part) => hanging('   only with   ', conditionText(part), width)),
    '',
    ...failureLines(lead, lead.rule, options),
  ];
}

/** Causes that the summary names one by one. */
const namedInSummary = 12;

/** The causes, a line each: rank, impact, the rule that names it and how many others, what is wrong. */
export function causeTable(
  causes: readonly Cause[],
  width: number,
  style: Style,
  most = namedInSummary,
): string[] {
  const shown = causes.slice(0, most);
  const first = Math.max(0, ...shown.map(({ impact }) => (impact?.id ?? '').length));
  const lines = shown.map((cause, i) => {
    const [rule = '', ...more] = rulesOf(cause);
    const rules = `${rule}${more.length === 0 ? '' : ` +${more.length}`}: `;
    const start = `${String(i + 1).padStart(3)}. ${(cause.impact?.id ?? '').padEnd(first)}  `;
    const room = Math.max(10, width - start.length - rules.length);
    const what = whatIsWrong(cause);
    const seen = seenText(cause);
    const whole = seen === '' ? what : `${what}, ${seen}`;
    const name = whole.length <= room ? whole : what.length <= room ? what : `${what.slice(0, room - 3)}...`;
    return `${cause.known ? style.dim(start) : style.bad(start)}${rules}${name}`;
  });
  const rest = causes.length - shown.length;
  return rest <= 0 ? lines : [...lines, style.dim(`     and ${grouped(rest)} more`)];
}
