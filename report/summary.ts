import type { RuleResult, Verdict } from './results.ts';
import type { Style } from './style.ts';
import { verdictStyle, verdictWord } from './rules-table.ts';
import { grouped, hanging } from './text.ts';

const order: readonly Verdict[] = [
  'pass',
  'fail',
  'deviation',
  'observed',
  'inconclusive',
  'vacuous',
  'unsupported',
  'error',
];

/** "52 pass, 1 FAIL, 2 known, 3 vacuous": rules by verdict; verdicts that no rule has are left out. */
export function countsLine(rules: readonly RuleResult[], style: Style): string {
  const parts: string[] = [];
  const known = rules.filter((rule) => verdictWord(rule) === 'known').length;
  for (const verdict of order) {
    const n = rules.filter((rule) => rule.verdict === verdict && verdictWord(rule) !== 'known').length;
    if (n === 0) continue;
    parts.push(verdictStyle(verdict, style)(`${grouped(n)} ${verdictWord({ verdict })}`));
  }
  if (known > 0) parts.push(style.warn(`${grouped(known)} known`));
  return parts.length === 0 ? 'no rules' : parts.join(', ');
}

/** "Not judged" block: what could not be judged, with counts. */
export function notJudgedLines(
  items: readonly { what: string; count: number }[],
  width: number,
  style: Style,
): string[] {
  if (items.length === 0) return [];
  return [
    style.bold('Not judged'),
    ...items.flatMap(({ what, count }) => hanging(`  ${grouped(count).padStart(10)}  `, what, width)),
    '',
  ];
}
