import type { RuleResult, Verdict } from './results.ts';
import type { Style } from './style.ts';
import { count, grouped, hanging } from './text.ts';

const verdictWidth = 12;

/** The word for a verdict in a table: known divergences have one of their own. */
export function verdictWord(rule: { verdict: Verdict; known?: unknown }): string {
  if (rule.known !== undefined && (rule.verdict === 'fail' || rule.verdict === 'deviation')) return 'known';
  return rule.verdict === 'fail' || rule.verdict === 'error' ? rule.verdict.toUpperCase() : rule.verdict;
}

export function verdictStyle(verdict: Verdict, style: Style): (text: string) => string {
  switch (verdict) {
    case 'pass':
      return style.good;
    case 'fail':
    case 'error':
      return style.bad;
    case 'deviation':
    case 'inconclusive':
      return style.warn;
    case 'observed':
      return style.accent;
    case 'vacuous':
    case 'unsupported':
      return style.dim;
  }
}

/** A rule in a line. What it has no room for, an id that is longer than its column or its violations, has a line of its own. */
function line(rule: RuleResult, idWidth: number, width: number, style: Style): string[] {
  const word = verdictWord(rule);
  const paint = word === 'known' ? style.warn : verdictStyle(rule.verdict, style);
  const violations = rule.violations > 0 ? count(rule.violations, 'violation') : '';
  const indent = ' '.repeat(verdictWidth + 5);
  const level = rule.level.padEnd(6);
  const exercised = grouped(rule.exercised).padStart(10);
  const start = `  ${paint(word.padEnd(verdictWidth))} `;
  const numbers = `${style.dim(level)} ${exercised}`;
  const fits = verdictWidth + idWidth + level.length + exercised.length + violations.length + 7 <= width;
  const behind = violations !== '' && fits ? `  ${violations}` : '';
  const column = ' '.repeat(verdictWidth + idWidth + 4);
  const first =
    rule.id.length <= idWidth
      ? [`${start}${rule.id.padEnd(idWidth)} ${numbers}${behind}`]
      : [`${start}${rule.id}`, `${column}${numbers}${behind}`];
  const remarks = [
    rule.known === undefined ? undefined : `known: ${rule.known.reason}`,
    rule.known?.link,
    rule.verdict === 'pass' || rule.why === undefined ? undefined : rule.why,
  ].filter((remark) => remark !== undefined);
  return [
    ...first,
    ...(violations === '' || fits ? [] : [`${indent}${violations}`]),
    ...remarks.flatMap((remark) => hanging(indent, remark, width).map((text) => style.dim(text))),
  ];
}

function headOf(table: string, members: readonly RuleResult[]): string {
  return `${table} (${members.length})`;
}

/** Rules with verdict, level and how often each decided something, under the name of their table. */
export function rulesTable(rules: readonly RuleResult[], width: number, style: Style): string[] {
  const tables = groupByTable(rules);
  const longest = Math.max(0, ...rules.map((rule) => rule.id.length));
  const heads = [...tables].map(([table, members]) => headOf(table, members).length - verdictWidth - 3);
  const idWidth = Math.max(8, Math.min(Math.max(longest, ...heads), width - verdictWidth - 23));
  const lines: string[] = [];
  for (const [table, members] of tables) {
    const heading = headOf(table, members).padEnd(verdictWidth + idWidth + 4);
    lines.push(style.bold(heading) + style.dim('level   exercised'));
    for (const rule of members) lines.push(...line(rule, idWidth, width, style));
    lines.push('');
  }
  return lines;
}

function groupByTable(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  const tables = new Map<string, RuleResult[]>();
  for (const rule of rules) {
    const members = tables.get(rule.table);
    if (members === undefined) tables.set(rule.table, [rule]);
    else members.push(rule);
  }
  return tables;
}
