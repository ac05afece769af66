import type { RuleResult, Verdict } from './results.ts';
import { verdictStyle, verdictWord } from './rules-table.ts';
import type { Style } from './style.ts';
import { grouped } from './text.ts';

/** Columns of the summary, by the word that a verdict has in a report. */
const columns: readonly { readonly word: string; readonly verdict: Verdict }[] = [
  { word: 'pass', verdict: 'pass' },
  { word: 'FAIL', verdict: 'fail' },
  { word: 'known', verdict: 'deviation' },
  { word: 'deviation', verdict: 'deviation' },
  { word: 'observed', verdict: 'observed' },
  { word: 'inconclusive', verdict: 'inconclusive' },
  { word: 'vacuous', verdict: 'vacuous' },
  { word: 'unsupported', verdict: 'unsupported' },
  { word: 'ERROR', verdict: 'error' },
];

/** Machine of the spec that a rule belongs to: the folder of its file; its table where no file is known. */
export function machineOf({ location, table }: Pick<RuleResult, 'location' | 'table'>): string {
  return /(?:^|\/)machines\/([^/]+)\//.exec(location?.file ?? '')?.[1] ?? table;
}

/** Headings where the columns are wider than the terminal. */
const short: Readonly<Record<string, string>> = {
  deviation: 'deviat.',
  observed: 'obs.',
  inconclusive: 'inconcl.',
  unsupported: 'unsupp.',
};

/** Rules by machine and verdict: one line a machine, a column for each verdict that some rule has; headings are cut short where they are too wide. */
export function machineSummary(rules: readonly RuleResult[], style: Style, width: number): string[] {
  const machines = new Map<string, RuleResult[]>();
  for (const rule of rules) {
    const machine = machineOf(rule);
    machines.set(machine, [...(machines.get(machine) ?? []), rule]);
  }
  const count = (members: readonly RuleResult[], word: string): number =>
    members.filter((rule) => verdictWord(rule) === word).length;
  const shown = columns.filter(({ word }) => count(rules, word) > 0);
  const first = Math.max('machine'.length, ...[...machines.keys()].map((name) => name.length));
  const cell = (text: string, word: string): string => text.padStart(Math.max(word.length, 5));
  const heading = (titles: (word: string) => string): string =>
    `${'machine'.padEnd(first)}  rules  ${shown.map(({ word }) => cell(titles(word), titles(word))).join('  ')}`;
  const whole = heading((word) => word);
  const titleOf = (word: string): string => (whole.length <= width ? word : (short[word] ?? word));
  return [
    style.bold(heading(titleOf)),
    ...[...machines].map(([name, members]) => {
      const cells = shown.map(({ word, verdict }) => {
        const n = count(members, word);
        const text = cell(n === 0 ? '' : grouped(n), titleOf(word));
        return n === 0 ? text : verdictStyle(verdict, style)(text);
      });
      return `${name.padEnd(first)}  ${cell(grouped(members.length), 'rules')}  ${cells.join('  ')}`.trimEnd();
    }),
  ];
}
