import { dcqcnProfile } from '../spec/dcqcn.ts';
import { fairness, figure, run, type Outcome } from './figure.ts';

/**
 * The document's figure of congestion spreading, with flow control alone and with congestion control: throughput of each
 * flow, pauses between the switches, the queue in front of G. All of it in virtual time, so that each run prints the same.
 */
const warmUp = Number(process.argv[2] ?? 20);
const measured = Number(process.argv[3] ?? 10);

const share = (x: number | undefined): string => `${((x ?? 0) * 100).toFixed(1)} %`;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

const outcomes: Outcome[] = [];
for (const control of [false, true])
  outcomes.push(await run({ ...figure, control, parameters: dcqcnProfile('paper'), warmUp, measured }));
const rows: string[][] = [
  ['flow', 'offered', 'flow control alone', 'with congestion control'],
  ...figure.flows.map(({ from, to, offered }, i) => [
    `${from} to ${to}`,
    share(offered),
    ...outcomes.map((o) => share(o.throughput[i])),
  ]),
  ['all to G', '', ...outcomes.map((o) => share(toG(o).reduce((a, b) => a + b, 0)))],
  ['fairness of A to F', '', ...outcomes.map((o) => fairness(toG(o)).toFixed(3))],
  ['link between the switches paused', '', ...outcomes.map((o) => share(o.pausedShare))],
  ['queue of G, mean', '', ...outcomes.map((o) => kilobytes(o.queueMean))],
  ['queue of G, most', '', ...outcomes.map((o) => kilobytes(o.queueMost))],
  ['CNPs', '', ...outcomes.map((o) => String(o.cnps))],
];
const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
const text = (row: string[]): string =>
  `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
const [head = [], ...body] = rows;
console.log(text(head));
console.log(`| ${widths.map((w, i) => (i === 0 ? '-'.repeat(w) : `${'-'.repeat(w - 1)}:`)).join(' | ')} |`);
for (const row of body) console.log(text(row));

function toG({ throughput }: Outcome): number[] {
  return throughput.filter((_, i) => figure.flows[i]?.to === 'G');
}
