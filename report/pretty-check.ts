import type { CheckResult, CheckViolation } from './check-results.ts';
import { frameName, judgedIn, placeOf, reasonsOf, summaryOf } from './check-words.ts';
import { groundsOf } from './failure.ts';
import { drawLadder } from './ladder/ladder.ts';
import { machineSummary } from './machine-summary.ts';
import type { ReportContext } from './reporter.ts';
import { connectionsPart } from './connections/pretty.ts';
import { rulesTable } from './rules-table.ts';
import { countsLines, notJudgedLines } from './summary.ts';
import type { Style } from './style.ts';
import { styleFor } from './style.ts';
import { count, duration, grouped, hanging, runTime } from './text.ts';

/** Violations of one rule that are written out; the rest is counted. */
const shownPerRule = 5;

/** Rules that are listed one by one. */
const mostListed = 60;

/** Violations of one rule whose exchange is drawn. */
const drawnPerRule = 2;

function ladderOf({ ladder, ends }: CheckViolation, width: number, style: Style): string[] {
  return ladder === undefined ? [] : ['', ...drawLadder(ladder, width, style, ends), ''];
}

function violationLines(violation: CheckViolation, width: number, style: Style): string[] {
  return [
    `   ${style.accent(placeOf(violation))} at ${duration(violation.t)}, ${violation.qp}`,
    ...hanging('     expected  ', violation.expected, width).map((line) => style.good(line)),
    ...hanging('     observed  ', violation.observed, width).map((line) => style.bad(line)),
    ...ladderOf(violation, width, style),
  ];
}

function violationsByRule(result: CheckResult, width: number, style: Style): string[] {
  const lines: string[] = [];
  const rules = [...new Set(result.violations.map((violation) => violation.rule))];
  for (const rule of rules) {
    const all = result.violations.filter((violation) => violation.rule === rule);
    const first = all[0];
    if (first === undefined) continue;
    const total = result.rules.find(({ id }) => id === rule)?.violations ?? all.length;
    lines.push(style.bad(style.bold(rule)), ...hanging('   ', first.says, width));
    for (const [name, text] of groundsOf(first))
      lines.push(...hanging(`   ${name.padEnd(11)} `, text, width));
    for (const [i, violation] of all.slice(0, shownPerRule).entries()) {
      const { ladder, ...plainly } = violation;
      const shown = ladder !== undefined && i < drawnPerRule ? violation : plainly;
      lines.push(...violationLines(shown, width, style));
    }
    if (total > shownPerRule) lines.push(`   and ${count(total - shownPerRule, 'more', 'more')}`);
    lines.push('');
  }
  return lines;
}

function skippedLines(result: CheckResult, width: number, style: Style): string[] {
  if (result.skipped.length === 0) return [];
  const words = { 'not-roce': 'no RoCEv2', truncated: 'cut short', malformed: 'malformed' };
  return [
    style.bold('Frames that were no judgeable packets'),
    ...result.skipped.flatMap(({ kind, reason, count: n, firstFrame: frame, file }) =>
      hanging(
        `  ${grouped(n).padStart(10)}  `,
        `${words[kind]}: ${reason} (first: ${frameName({ frame, ...(file !== undefined && { file }) })})`,
        width,
      ),
    ),
    '',
  ];
}

/** The rules that decided something; many of them by machine. */
function rulesOf({ rules }: CheckResult, width: number, style: Style): string[] {
  const exercised = rules.filter((rule) => rule.exercised > 0);
  if (exercised.length === 0) return ['No rule decided anything in this file.', ''];
  return exercised.length > mostListed
    ? [...machineSummary(exercised, style, width), '']
    : rulesTable(exercised, width, style);
}

/** What came of it, and what could not be seen. */
function summaryLines(result: CheckResult, width: number, style: Style): string[] {
  const { kind, text, seen } = summaryOf(result);
  const colour = { fail: style.bad, warn: style.warn, pass: style.good }[kind];
  return [
    ...hanging('', `${text}.`, width).map((line) => style.bold(colour(line))),
    ...seen.flatMap((sentence) => hanging('', sentence, width)),
  ];
}

/** The report on a capture or on traces, for people. */
export function prettyCheck(result: CheckResult, context: ReportContext): string {
  const style = styleFor(context.colour);
  const { width } = context;
  const heading = `rdma-conform ${context.version} | ${result.file} | rules ${result.spec.slice(0, 12)}`;
  const inconclusive = reasonsOf(result).flatMap((reason) => hanging('  ', reason, width));
  const lines = [
    ...hanging('', heading, width).map((line) => style.bold(line)),
    '',
    ...connectionsPart(result.connections, width, style),
    ...(result.violations.length === 0 ? [] : [style.bold('Violations'), '']),
    ...violationsByRule(result, width, style),
    ...rulesOf(result, width, style),
    ...skippedLines(result, width, style),
    ...notJudgedLines(result.notJudged, width, style),
    ...(inconclusive.length === 0 ? [] : [style.bold('Inconclusive'), ...inconclusive, '']),
    ...(result.damage === undefined
      ? []
      : [
          ...hanging('', `${result.damage.message}. What stood before was judged.`, width).map((line) =>
            style.warn(line),
          ),
          '',
        ]),
    ...result.errors.flatMap((error) => hanging('error: ', error, width).map((line) => style.bad(line))),
    ...(result.interrupted ? [style.warn('Interrupted: this is what was found until then.'), ''] : []),
    ...summaryLines(result, width, style),
    ...countsLines('Rules', result.rules, width, style),
    style.dim(`${judgedIn(result)}, ${runTime(result.durationMs)}`),
  ];
  return `${lines.join('\n')}\n`;
}
