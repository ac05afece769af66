import type { Profile } from '../adapters/adapter.ts';
import { referenceAdapter } from '../adapters/reference/index.ts';
import { judgeTrace, loadRules } from '../oracle/index.ts';
import { properties } from '../suites/index.ts';
import { Executor } from '../suites/runner/executor.ts';
import { schedule } from '../suites/runner/schedule.ts';

/**
 * Scenarios per second on the reference NIC, driven and judged, against fast-check generating the same scenarios and doing
 * nothing with them; and which share of that time the oracle takes, measured by judging the same traces once more. All in one
 * process, in turns, so that a busy machine slows them alike. Prints one line of JSON.
 */
const runs = Number(process.argv[2] ?? 3000);
const rounds = 3;

function generateAll(profile: Profile, seed: number): number {
  let steps = 0;
  for (const { generated } of schedule(properties, profile, seed, runs, { i: 1, n: 1 })) {
    steps += generated.scenario.steps.length;
  }
  return steps;
}

const rules = loadRules();

/** Runs every scenario; gives the time that judging the traces once more took, in milliseconds. */
async function runAll(executor: Executor, seed: number): Promise<number> {
  let judging = 0;
  for (const { generated } of schedule(properties, executor.profile, seed, runs, { i: 1, n: 1 })) {
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    if (outcome.kind !== 'judged') continue;
    const begun = performance.now();
    judgeTrace(outcome.drive.header, outcome.drive.events, rules);
    judging += performance.now() - begun;
  }
  return judging;
}

const executor = await Executor.open(referenceAdapter(), rules, {});
const times = { generate: 0, run: 0, judge: 0 };
generateAll(executor.profile, 99);
await runAll(executor, 99);
for (let seed = 0; seed < rounds; seed++) {
  const begun = performance.now();
  generateAll(executor.profile, seed);
  const between = performance.now();
  const judging = await runAll(executor, seed);
  times.generate += between - begun;
  times.run += performance.now() - between - judging;
  times.judge += judging;
}
await executor.close();
const perSecond = (ms: number): number => Math.round((runs * rounds * 1000) / ms);
process.stdout.write(
  `${JSON.stringify({
    bench: 'scenarios',
    runs: runs * rounds,
    generatedPerSecond: perSecond(times.generate),
    judgedPerSecond: perSecond(times.run),
    // Running includes generating, as it does in a campaign.
    ratio: Number((times.run / times.generate).toFixed(2)),
    budget: 8,
    oracleShare: Number((times.judge / times.run).toFixed(2)),
    oracleBudget: 0.33,
  })}\n`,
);
