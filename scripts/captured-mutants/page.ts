import type { RuleSet } from '../../oracle/index.ts';
import type { Mutant } from '../../suites/index.ts';
import { classes, type MutantClass } from './classes.ts';
import type { Captured } from './hunt.ts';

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;
  const ruler = head.map((name) => (/^\d|^found|^not|^mutants/.test(name) ? '--:' : '---'));
  return line(head) + line(ruler) + rows.map(line).join('');
}

const named = (rules: readonly string[]): string => rules.map((rule) => `\`${rule}\``).join(', ');
const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

/** The class of a mutant. Throws an Error where it has none. */
export function classOf(
  { id, rules: [first = ''] }: Pick<Mutant, 'id' | 'rules'>,
  rules: RuleSet,
): MutantClass {
  const name = rules.rules.find((rule) => rule.id === first)?.table;
  const found = classes.find(({ tables }) => tables.some((start) => name?.startsWith(start) === true));
  if (found === undefined) throw new Error(`${id}: no class has the table ${name ?? '(none)'}`);
  return found;
}

/** What a page says of the mutants that are found. */
export function onPage(text: string): Captured[] {
  return [...text.matchAll(/^\| `([\w-]+)` +\| (`.*?`) +\| +(`--complete` )? *\|$/gm)].map(
    ([, mutant = '', list = '', needs]) => {
      const rules = [...list.matchAll(/`([^`]+)`/g)].map(([, rule = '']) => rule);
      const of = { mutant, killing: 0, falseAlarms: [] };
      return needs === undefined ? { ...of, alone: rules, complete: rules } : { ...of, complete: rules };
    },
  );
}

/** What captures show of the mutants, as a page of markdown. */
export function page(mutants: readonly Mutant[], found: readonly Captured[], rules: RuleSet): string {
  const byId = new Map(found.map((one) => [one.mutant, one]));
  const all = mutants.map((mutant) => ({ mutant, of: classOf(mutant, rules), seen: byId.get(mutant.id) }));
  const alone = all.filter(({ seen }) => seen?.alone !== undefined);
  const complete = all.filter(({ seen }) => seen?.alone === undefined && seen?.complete !== undefined);
  const rest = all.filter(({ seen }) => seen?.alone === undefined && seen?.complete === undefined);
  const count = (list: typeof all, one: MutantClass): number => list.filter(({ of }) => of === one).length;
  const total = all.length;
  return `# Mutants that captures show

<!-- Written by \`npm run captured-mutants\`. -->

What \`check\` finds of the ${total} mutants of the reference NIC by their packets alone. For each of them, cases of the suites in which it breaks a
rule were written to a file, as a port of the device sees them, behind 300 SENDs of other hosts, and judged: \`check FILE --ooo\`, and \`check FILE --ooo --complete --at DEVICE\` with the timeout
and congestion profile that hold. Up to five such cases were tried, those of one RC connection also with answered messages before it and another one a second later,
and behind them, for mutants of RC, four conversations of some hundred packets with a conformant NIC. What is called broken in the same case on the conformant reference NIC does not count. Whether a run finds a mutant is another question: a run
[finds every one of them](../evidence.md).

- \`check\` alone finds ${alone.length} (${percent(alone.length, total)}).
- With \`--complete\`, it finds ${alone.length + complete.length} (${percent(alone.length + complete.length, total)}).

## By class

${table(
  ['class', 'mutants', 'found', 'found with `--complete`', 'not found'],
  classes.map((one) => [
    one.says,
    count(all, one),
    count(alone, one),
    count(alone, one) + count(complete, one),
    count(rest, one),
  ]),
)}
## Found

${table(
  ['mutant', 'rules called broken', 'needs'],
  [
    ...alone.map(({ mutant, seen }) => [`\`${mutant.id}\``, named(seen?.alone ?? []), '']),
    ...complete.map(({ mutant, seen }) => [`\`${mutant.id}\``, named(seen?.complete ?? []), '`--complete`']),
  ],
)}
## Not found, and why

${classes
  .map((one) => {
    const ids = rest.filter(({ of }) => of === one).map(({ mutant }) => `\`${mutant.id}\``);
    return ids.length === 0 ? '' : `### ${one.says}\n\n${one.because}\n\n${ids.join(', ')}\n`;
  })
  .filter((text) => text !== '')
  .join('\n')}`;
}
