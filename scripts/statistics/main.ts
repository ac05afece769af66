// `npm run statistics`: what a default run on the reference NIC reaches, to docs/reference/statistics.md. [-- --runs N --seed N --out FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { runConformance, type RunRecord } from '../../suites/index.ts';
import { count, noCounts } from './count.ts';
import { page } from './page.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'docs/reference/statistics.md' },
  },
});

function whole(name: 'runs' | 'seed'): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name}: a whole number is wanted`);
  return value;
}

const counts = noCounts();
const record: RunRecord = {
  begin: () => undefined,
  case: ({ outcome }) => {
    if (outcome.kind === 'judged') count(counts, outcome.drive);
  },
  failure: () => undefined,
  doubt: () => undefined,
};
const runs = whole('runs');
const seed = whole('seed');
await runConformance({ adapter: referenceAdapter(), runs, seed, record });
writeFileSync(values.out, page(counts, `a run of seed ${seed} on the reference NIC`));
