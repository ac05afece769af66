import { writeFileSync } from 'node:fs';
import { handTrace, line, type Point } from './hand-trace.ts';
import { rateTrace, type TimedRecord } from './rate-trace.ts';

/**
 * The rate of the reference NIC over time, against a trace worked out by hand (see hand-trace.ts): prints how far they are
 * apart, and draws both into the SVG file that is named.
 */
const wide = 900;
const margin = { left: 60, right: 20, top: 40, between: 40, bottom: 50 };
const tall = { rate: 280, alpha: 90 };
const until = 1100;
const events = 17;
const [, , file = 'docs/images/dcqcn.svg'] = process.argv;
const told = await rateTrace(until);
const hand = handTrace(events).filter(({ at }) => at <= until);

const moves = told.filter(({ record }) => record.cause === 'cut' || record.cause === 'timer');
let apart = 0;
console.log('    us  cause   device Gb/s    by hand Gb/s     target');
for (const [i, point] of hand.entries()) {
  const move = moves[i];
  if (move === undefined || Math.abs(move.at - point.at) > 1e-6)
    throw new Error(`no record at ${point.at} us`);
  const rate = move.record.rate / 1e9;
  apart = Math.max(
    apart,
    Math.abs(rate - point.rate) / point.rate,
    Math.abs(move.record.target / 1e9 - point.target) / point.target,
  );
  console.log(
    `${String(point.at).padStart(6)}  ${move.record.cause.padEnd(6)} ${rate.toFixed(9).padStart(12)} ${point.rate.toFixed(9).padStart(15)} ${point.target.toFixed(2).padStart(10)}`,
  );
}
console.log(`largest difference: ${apart.toExponential(1)} of the value`);
writeFileSync(file, draw(told, hand));
console.log(`drawn into ${file}`);

function draw(records: readonly TimedRecord[], points: readonly Point[]): string {
  const x = (at: number): number => margin.left + (at / until) * (wide - margin.left - margin.right);
  const rateY = (gbps: number): number => margin.top + tall.rate * (1 - gbps / line);
  const alphaTop = margin.top + tall.rate + margin.between;
  const alphaY = (alpha: number): number => alphaTop + tall.alpha * (1 - alpha);
  const height = alphaTop + tall.alpha + margin.bottom;
  const n = (value: number): string => value.toFixed(1);
  const steps = (of: (record: TimedRecord) => number): string => {
    let path = '';
    let last = 0;
    for (const entry of records) {
      const y = of(entry);
      path +=
        path === ''
          ? `M${n(x(entry.at))} ${n(y)}`
          : `L${n(x(entry.at))} ${n(last)}L${n(x(entry.at))} ${n(y)}`;
      last = y;
    }
    return `${path}L${n(x(until))} ${n(last)}`;
  };
  const grid = [0, 10, 20, 30, 40].map(
    (g) =>
      `<line class="grid" x1="${margin.left}" x2="${wide - margin.right}" y1="${n(rateY(g))}" y2="${n(rateY(g))}"/>` +
      `<text x="${margin.left - 8}" y="${n(rateY(g) + 4)}" text-anchor="end">${g}</text>`,
  );
  const alphaGrid = [0, 1].map(
    (a) =>
      `<line class="grid" x1="${margin.left}" x2="${wide - margin.right}" y1="${n(alphaY(a))}" y2="${n(alphaY(a))}"/>` +
      `<text x="${margin.left - 8}" y="${n(alphaY(a) + 4)}" text-anchor="end">${a}</text>`,
  );
  const ticks = Array.from({ length: Math.floor(until / 100) + 1 }, (_, i) => i * 100).map(
    (at) => `<text x="${n(x(at))}" y="${n(alphaTop + tall.alpha + 18)}" text-anchor="middle">${at}</text>`,
  );
  const cnps = records
    .filter(({ record }) => record.cause === 'cnp')
    .map(
      ({ at }) =>
        `<line class="cnp" x1="${n(x(at))}" x2="${n(x(at))}" y1="${margin.top}" y2="${alphaTop + tall.alpha}"/>` +
        `<text class="cnp-text" x="${n(x(at) + 4)}" y="${margin.top - 6}">CNP</text>`,
    );
  const dots = points.map(
    ({ at, rate }) => `<circle class="hand" cx="${n(x(at))}" cy="${n(rateY(rate))}" r="4"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${height}" role="img">
<title>Rate of a QP under DC-QCN: the reference NIC, and points worked out by hand</title>
<style>
svg { background: #fff } text { font: 12px sans-serif; fill: #333 } .grid { stroke: #ddd }
.rate { fill: none; stroke: #1f5fa8; stroke-width: 2 } .target { fill: none; stroke: #999; stroke-dasharray: 5 4 }
.alpha { fill: none; stroke: #8a4b08; stroke-width: 2 } .hand { fill: none; stroke: #b3261e; stroke-width: 1.5 }
.cnp { stroke: #b3261e; stroke-dasharray: 2 3 } .cnp-text { fill: #b3261e }
</style>
${[...grid, ...alphaGrid, ...ticks, ...cnps].join('\n')}
<path class="target" d="${steps(({ record }) => rateY(record.target / 1e9))}"/>
<path class="rate" d="${steps(({ record }) => rateY(record.rate / 1e9))}"/>
<path class="alpha" d="${steps(({ record }) => alphaY(record.alpha))}"/>
${dots.join('\n')}
<text x="${margin.left}" y="16">Gb/s: rate of the reference NIC (blue), its target (dashed), points worked out by hand (red)</text>
<text x="${margin.left}" y="${n(alphaTop - 8)}">alpha</text>
<text x="${wide - margin.right}" y="${height - 12}" text-anchor="end">microseconds since the first CNP</text>
</svg>
`;
}
