import type { Counts } from './count.ts';
import { disturbances, type Disturbance } from './disturbances.ts';
import type { Covered } from './grids.ts';
import { phases } from './phases.ts';

/** What the page tells of. */
export interface Reached {
  byDefault: Counts;
  thorough: Counts;
  /** `tried`: of the default run, and of the thorough one */
  grids: readonly Covered[];
  seed: number;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map((_, i) => (i === 0 ? '---' : '--:'))) + rows.map(line).join('');
}

/** Both runs side by side, by suite: its properties, their cases, and the fewest of one property. */
function suites({ byDefault, thorough }: Reached): string {
  const suiteOf = (id: string): string => id.split('/')[0] ?? id;
  const ids = [...thorough.properties.keys()];
  const row = (suite: string, of: readonly string[]): (string | number)[] => [
    suite,
    of.length,
    ...[byDefault, thorough].flatMap(({ properties }) => {
      const cases = of.map((id) => properties.get(id) ?? 0);
      return [cases.reduce((sum, one) => sum + one, 0), Math.min(...cases)];
    }),
  ];
  const names = [...new Set(ids.map(suiteOf))];
  return table(
    ['suite', 'properties', 'default', 'fewest of one', 'thorough', 'fewest of one'],
    names.map((suite) =>
      row(
        suite,
        ids.filter((id) => suiteOf(id) === suite),
      ),
    ),
  );
}

function gridTable(grids: readonly Covered[]): string {
  return table(
    ['property', 'grid', 'cells', 'default runs', 'in the default run', 'in the thorough one'],
    grids.map(({ property, grid, cells, runs, tried }) => [property, grid, cells, runs, ...tried]),
  );
}

function phaseTable({ calls }: Counts): string {
  return table(
    ['call', ...phases],
    [...calls]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, by]) => [name, ...phases.map((phase) => by.get(phase) ?? 0)]),
  );
}

/** Disturbances that a run saw. */
function seen({ pairs }: Counts): Disturbance[] {
  return disturbances.filter((one) => pairs.has(one) || [...pairs.values()].some((of) => of.has(one)));
}

/** Ordered pairs of so many disturbances, and those that no case had. */
function holesOf(counts: Counts): { of: number; holes: Map<Disturbance, Disturbance[]> } {
  const met = seen(counts);
  const holes = new Map(
    met.map((first) => [first, met.filter((second) => counts.pairs.get(first)?.has(second) !== true)]),
  );
  return { of: met.length ** 2, holes };
}

function pairTable(counts: Counts): string {
  const met = seen(counts);
  return table(
    ['first', ...met],
    met.map((first) => [first, ...met.map((second) => counts.pairs.get(first)?.get(second) ?? 0)]),
  );
}

function howMany(counts: Counts): string {
  const { of, holes } = holesOf(counts);
  return `${of - [...holes.values()].flat().length} of ${of}`;
}

/** Pairs that no case had, if there are any. */
function missed(left: readonly [Disturbance, readonly Disturbance[]][]): string {
  if (left.length === 0) return '';
  const lines = left.map(([first, behind]) => `- ${first}, then ${behind.join(', ')}\n`);
  return `Pairs that the thorough run did not meet:\n\n${lines.join('')}\n`;
}

/** What is reached, as a page of markdown. */
export function page(reached: Reached): string {
  const { byDefault, thorough, grids, seed } = reached;
  const qps = [...new Set([...byDefault.qps.keys(), ...thorough.qps.keys()])].toSorted((a, b) => a - b);
  const left = [...holesOf(thorough).holes].filter(([, behind]) => behind.length > 0);
  return `# What a default run reaches

<!-- Written by \`npm run statistics\`. -->

A default run (${byDefault.cases} cases) and a thorough one (${thorough.cases} cases), of seed ${seed} on the reference NIC. The rules that they
exercise are in the reports of the runs; this page counts what is tried, and how things meet.

## Suites

Properties, and cases of each run: of all of a suite, and of that one of its properties that had the fewest.

${suites(reached)}
## Grids

Values that are not left to dice: a property tries the cells of its grids one after the other, one in each case or every other. It begins with the next one
where the run of the seed before ends at the latest, so that so many default runs with seeds in a row have tried all (on a real clock a few
more, and timers there take only those codes that a case can afford to sit out).

${gridTable(grids)}
## QPs

Cases by how many QPs the device had.

${table(
  ['QPs', 'default', 'thorough'],
  qps.map((n) => [n, byDefault.qps.get(n) ?? 0, thorough.qps.get(n) ?? 0]),
)}
## Phases of calls

How often each call was made in which phase of its QP, or of any QP where it is about all of them. The last packet was an RNR NAK to it; or
one that leaves a message to it, a message of its own, or a READ answer unfinished; or a request of its own, and no answer has come; or
another one, with or without a rest since.

In the default run:

${phaseTable(byDefault)}
In the thorough one:

${phaseTable(thorough)}
## Pairs of disturbances

Cases in which the disturbance of the column came after that of the row, without a rest between them: at one QP, or at two of one device.
The default run met ${howMany(byDefault)} ordered pairs, the thorough one ${howMany(thorough)}.

In the default run:

${pairTable(byDefault)}
In the thorough one:

${pairTable(thorough)}
${missed(left)}What the words mean: \`lost\` and \`wire fault\` are packets that the wire dropped, or delayed, doubled, held back or rewrote; \`damaged\` has a
wrong ICRC or no transport header; \`twice in\` and \`twice out\` are requests whose PSN that QP had had before; RESET, ERR, SQD and \`attributes\`
are calls of ibv_modify_qp after RTR; \`failed\` and \`flushed\` are completions; \`QP event\` is any asynchronous event but that of the limit
and IBV_EVENT_PATH_MIG, which is \`migration\`.
`;
}
