import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * How many more cases of a run on the reference NIC `--jobs 2` judges in the same time than `--jobs 1`: by turns, in the built package,
 * the median of the rounds. The start of the program is left out: a run of one case takes it off. Of a machine that does other work the
 * figure says nothing; `load` is that of the minute before. Prints one line of JSON. Run: npx tsx bench/jobs.ts [CASES] [ROUNDS]
 */
const runs = Number(process.argv[2] ?? 3000);
const rounds = Number(process.argv[3] ?? 3);
const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [load = 0] = loadavg();

/** Milliseconds of a run, as its report tells. */
function took(jobs: number, cases: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'rdma-conform-bench-'));
  try {
    const file = join(folder, 'report.json');
    const args = ['--jobs', String(jobs), '--runs', String(cases), '--reporter', `json=${file}`];
    const begun = performance.now();
    execFileSync(process.execPath, [command, ...args], { cwd: folder });
    const all = performance.now() - begun;
    const { cases: done } = JSON.parse(readFileSync(file, 'utf8')) as { cases: number };
    if (done !== cases) throw new Error(`${done} cases in place of ${cases}`);
    return all;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const ratios: number[] = [];
for (let round = 0; round < rounds; round++) {
  const [one, two] = [1, 2].map((jobs) => took(jobs, runs) - took(jobs, 1));
  ratios.push((one ?? 0) / (two ?? 1));
}
process.stdout.write(
  `${JSON.stringify({
    bench: 'jobs',
    runs,
    rounds,
    ratio: Number(median(ratios).toFixed(2)),
    budget: 1.8,
    load: Number(load.toFixed(2)),
  })}\n`,
);
