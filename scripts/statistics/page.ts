import type { Counts } from './count.ts';
import { disturbances } from './disturbances.ts';
import { phases } from './phases.ts';

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map((_, i) => (i === 0 ? '---' : '--:'))) + rows.map(line).join('');
}

/** The counts as a page of markdown. `run`: what was run, in a few words. */
export function page({ cases, qps, calls, pairs }: Counts, run: string): string {
  const met = disturbances.filter((one) => pairs.has(one) || [...pairs.values()].some((of) => of.has(one)));
  const holes = met.flatMap((first) => met.filter((second) => pairs.get(first)?.has(second) !== true)).length;
  return `# What a default run reaches

<!-- Written by \`npm run statistics\`. -->

${cases} cases: ${run}. The rules that they exercise are in the report of the run; this page counts how things meet.

## QPs

Cases by how many QPs the device had.

${table(
  ['QPs', 'cases'],
  [...qps].toSorted(([a], [b]) => a - b),
)}
## Phases of calls

How often each call was made in which phase of its QP, or of any QP where it is about all of them. The last packet was an RNR NAK to it; or
one that leaves a message to it, a message of its own, or a READ answer unfinished; or a request of its own, and no answer has come; or
another one, with or without a rest since.

${table(
  ['call', ...phases],
  [...calls]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, by]) => [name, ...phases.map((phase) => by.get(phase) ?? 0)]),
)}
## Pairs of disturbances

Cases in which the disturbance of the column came after that of the row, without a rest between them: at one QP, or at two of one device.
Of ${met.length ** 2} ordered pairs ${met.length ** 2 - holes} were met.

${table(
  ['first', ...met],
  met.map((first) => [first, ...met.map((second) => pairs.get(first)?.get(second) ?? 0)]),
)}
What the words mean: \`lost\` and \`wire fault\` are packets that the wire dropped, or delayed, doubled, held back or rewrote; \`damaged\` has a
wrong ICRC or no transport header; \`twice in\` and \`twice out\` are requests whose PSN that QP had had before; RESET, ERR, SQD and \`attributes\`
are calls of ibv_modify_qp after RTR; \`failed\` and \`flushed\` are completions; \`QP event\` is any asynchronous event but that of the limit.
`;
}
