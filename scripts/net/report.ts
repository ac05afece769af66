import type { Names } from './names.ts';
import type { Group, Tally } from './tally.ts';

/** Characters of a value that are shown. */
const longest = 600;
/** Kinds of differences that are shown unless all are asked for. */
export const shownGroups = 20;

// What is most likely the cause stands first: a device that behaves otherwise, then verdicts, then what is counted.
const order = ['trace', 'thrown', 'violations', 'inconclusive', 'notJudged'];

function rank({ what }: Group): number {
  const at = order.indexOf(what.split(' ')[0] ?? '');
  return at < 0 ? order.length : at;
}

function short(value: string): string {
  return value.length > longest ? `${value.slice(0, longest)}... (${value.length} characters)` : value;
}

/** What the net found, for people; its last line is the summary. */
export function text(tally: Tally, { differences }: Names, ms: number, most = shownGroups): string {
  const lines: string[] = [];
  const groups = tally.groups.toSorted((a, b) => rank(a) - rank(b) || b.cases - a.cases);
  for (const { what, cases, first } of groups.slice(0, most)) {
    const { before, after, view } = first.difference;
    const seen = view === undefined ? '' : `, seen as "${view}"`;
    lines.push(`${what}: ${cases} case${cases === 1 ? '' : 's'}, first ${first.name}${seen}`);
    lines.push(`  before  ${short(before)}`, `  after   ${short(after)}`);
  }
  if (groups.length > most) lines.push(`${groups.length - most} more kinds of difference (--all shows them)`);
  for (const [i, { reason, field, key }] of differences.entries())
    lines.push(`named: ${field} ${key ?? ''}: ${tally.met[i]} (${reason})`);
  const seconds = (ms / 1000).toFixed(1);
  const named = tally.named > 0 ? `, ${tally.named} by name` : '';
  lines.push(`${tally.judged} traces judged by both builds in ${seconds} s`);
  lines.push(`net: ${tally.cases} cases, ${tally.differ} differ${named}`);
  return `${lines.join('\n')}\n`;
}
