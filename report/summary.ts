import type { RuleResult, RunResult, Verdict } from './results.ts';
import type { Style } from './style.ts';
import { verdictStyle, verdictWord } from './rules-table.ts';
import { count, grouped, hanging } from './text.ts';

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

interface Part {
  text: string;
  paint: (text: string) => string;
}

function countsOf(rules: readonly RuleResult[], style: Style): Part[] {
  const parts: Part[] = [];
  const known = rules.filter((rule) => verdictWord(rule) === 'known').length;
  for (const verdict of order) {
    const n = rules.filter((rule) => rule.verdict === verdict && verdictWord(rule) !== 'known').length;
    if (n === 0) continue;
    parts.push({ text: `${grouped(n)} ${verdictWord({ verdict })}`, paint: verdictStyle(verdict, style) });
  }
  if (known > 0) parts.push({ text: `${grouped(known)} known`, paint: style.warn });
  return parts.length === 0 ? [{ text: 'no rules', paint: (text) => text }] : parts;
}

/** "52 pass, 1 FAIL, 2 known, 3 vacuous": rules by verdict; verdicts that no rule has are left out. */
export function countsLine(rules: readonly RuleResult[], style: Style): string {
  return countsOf(rules, style)
    .map(({ text, paint }) => paint(text))
    .join(', ');
}

/**
 * "Rules  52 pass, 1 FAIL, 2 known, 3 vacuous": the same in lines of at most `width` characters, with that
 * heading.
 */
export function countsLines(
  heading: string,
  rules: readonly RuleResult[],
  width: number,
  style: Style,
): string[] {
  const lines: Part[][] = [[]];
  let room = width - heading.length - 2;
  for (const part of countsOf(rules, style)) {
    const line = lines.at(-1) ?? [];
    if (line.length > 0 && part.text.length + 2 > room) {
      lines.push([part]);
      room = width - heading.length - 2 - part.text.length - 2;
    } else {
      line.push(part);
      room -= part.text.length + 2;
    }
  }
  const last = lines.length - 1;
  return lines.map((line, i) => {
    const text = line.map((part) => part.paint(part.text)).join(', ');
    const label = i === 0 ? style.bold(heading) : ' '.repeat(heading.length);
    return `${label}  ${text}${i === last ? '' : ','}`;
  });
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

/** How many cases the device ended early, and what that means for the verdict; absent: none. */
export function endedText({
  endedByDevice = 0,
  cases,
}: Pick<RunResult, 'endedByDevice' | 'cases'>): string | undefined {
  if (endedByDevice === 0) return undefined;
  return (
    `The device ended ${count(endedByDevice, 'case')} early, of ${grouped(Math.max(cases, endedByDevice))}, by IBV_EVENT_DEVICE_FATAL. ` +
    'What comes behind it is not judged, so that the run is inconclusive where no rule is broken.'
  );
}
