import type { Style } from '../../report/style.ts';
import { count, grouped, hanging, shellQuote } from '../../report/text.ts';
import {
  devicesDiffer,
  type Difference,
  type DifferenceKind,
  type RunDiff,
  type Seen,
  type Side,
} from './compare.ts';

export interface DiffTextOptions {
  width: number;
  style: Style;
}

const headings: Record<DifferenceKind, string> = {
  'only-a': 'Only A breaks',
  'only-b': 'Only B breaks',
  otherwise: 'Both break, in different ways',
  choice: 'Choices that the spec leaves, taken differently',
  unjudged: 'Judged in one run only: no comparison is possible',
};

function sideLine(name: string, side: Side): string {
  const version = side.version === undefined ? '' : ` (${side.version})`;
  return `${name}  ${side.adapter}${version}, seed ${side.seed}, ${count(side.cases, 'case')}`;
}

function seenText(seen: Seen, kind: DifferenceKind): string {
  const times = `${grouped(seen.violations)} of ${count(seen.exercised, 'time')}`;
  if (kind === 'choice') return seen.choices?.join(' or ') ?? 'no choice seen';
  if (kind === 'unjudged') return [seen.verdict, seen.why].filter((part) => part !== undefined).join(': ');
  if (seen.violations === 0) return `${seen.verdict}, ${count(seen.exercised, 'time')}`;
  return `${seen.verdict}, ${times}${seen.observed === undefined ? '' : `: ${seen.observed}`}`;
}

function differenceLines(
  found: Difference,
  sides: Pick<RunDiff, 'a' | 'b'>,
  { width, style }: DiffTextOptions,
): string[] {
  const { kind, a, b } = found;
  const expected = a.expected ?? b.expected;
  const [shown, side] = a.token === undefined ? [b, sides.b] : [a, sides.a];
  const device = shellQuote(side.asked ?? side.adapter);
  const again = shown.caseFile ?? shown.token;
  const only = (one: Seen, other: Seen): string | undefined => {
    const own = one.signatures?.filter((signature) => other.signatures?.includes(signature) !== true) ?? [];
    return own.length === 0 || other.signatures === undefined ? undefined : own.join('; ');
  };
  const details: [string, string | undefined][] = [
    ['expected', kind === 'choice' ? undefined : expected],
    ['A', seenText(a, kind)],
    ['B', seenText(b, kind)],
    ['only A', only(a, b)],
    ['only B', only(b, a)],
    ['replay', again && `npx rdma-conform replay ${shellQuote(again)} --adapter ${device}`],
  ];
  return [
    `  ${style.bold(found.rule)} ${style.dim(`(${found.level})`)}`,
    ...hanging('    ', found.says, width),
    ...details.flatMap(([name, text]) =>
      text === undefined ? [] : hanging(`    ${name.padEnd(9)}`, text, name === 'replay' ? Infinity : width),
    ),
  ];
}

/** Rules of which one run says nothing, those together that both runs say the same of: they are many where one run was shorter. */
function unjudgedLines(members: readonly Difference[], { width, style }: DiffTextOptions): string[] {
  const together = new Map<string, Difference[]>();
  for (const found of members) {
    const key = JSON.stringify([seenText(found.a, found.kind), seenText(found.b, found.kind)]);
    together.set(key, [...(together.get(key) ?? []), found]);
  }
  return [...together.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const rules = alike.map(({ rule, level }) => `${rule} (${level})`).join(', ');
    return [
      ...hanging('  ', rules, width).map(style.bold),
      ...hanging('    A        ', seenText(first.a, first.kind), width),
      ...hanging('    B        ', seenText(first.b, first.kind), width),
    ];
  });
}

/** The differences by kind, the gravest first, with what each device was seen to do. */
export function diffText(diff: RunDiff, options: DiffTextOptions): string {
  const { width, style } = options;
  const lines = [
    style.bold(sideLine('A', diff.a)),
    style.bold(sideLine('B', diff.b)),
    ...diff.cautions.flatMap((text) => hanging('   caution: ', text, width).map(style.warn)),
    '',
  ];
  if (diff.profile.length > 0) {
    lines.push(style.bold('What the devices declare'));
    for (const { what, a, b } of diff.profile) lines.push(...hanging(`  ${what}: `, `${a} | ${b}`, width));
    lines.push('');
  }
  for (const [kind, heading] of Object.entries(headings) as [DifferenceKind, string][]) {
    const members = diff.differences.filter((found) => found.kind === kind);
    if (members.length === 0) continue;
    lines.push(style.bold(`${heading} (${members.length})`));
    const text =
      kind === 'unjudged'
        ? unjudgedLines(members, options)
        : members.flatMap((found) => differenceLines(found, diff, options));
    lines.push(...text, '');
  }
  const verdict = devicesDiffer(diff) ? style.bad('they differ') : style.good('no difference seen');
  lines.push(`${style.bold(verdict)}, ${count(diff.alike, 'rule')} judged alike`);
  return `${lines.join('\n')}\n`;
}
