import type { Profile } from '../adapters/adapter.ts';
import { referenceAdapter } from '../adapters/reference/index.ts';
import { loadRules } from '../oracle/index.ts';
import { properties } from '../suites/index.ts';
import { Executor } from '../suites/runner/executor.ts';
import { schedule } from '../suites/runner/schedule.ts';

/**
 * Scenarios per second on the reference NIC, driven and judged, against fast-check generating the same scenarios and doing
 * nothing with them. Both in one process, in turns, so that a busy machine slows them alike. Prints one line of JSON.
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

async function runAll(executor: Executor, seed: number): Promise<void> {
  for (const { generated } of schedule(properties, executor.profile, seed, runs, { i: 1, n: 1 })) {
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
  }
}

const executor = await Executor.open(referenceAdapter(), loadRules(), {});
const times = { generate: 0, run: 0 };
generateAll(executor.profile, 99);
await runAll(executor, 99);
for (let seed = 0; seed < rounds; seed++) {
  const begun = performance.now();
  generateAll(executor.profile, seed);
  const between = performance.now();
  await runAll(executor, seed);
  times.generate += between - begun;
  times.run += performance.now() - between;
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
    budget: 4,
  })}\n`,
);
