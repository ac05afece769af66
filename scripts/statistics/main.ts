// `npm run statistics`: what a default run and a thorough one reach on the reference NIC, to docs/reference/statistics.md. [-- --seed N --out FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { presetNames, properties, runConformance, type Preset, type RunRecord } from '../../suites/index.ts';
import { count, noCounts, type Counts } from './count.ts';
import { coveredGrids } from './grids.ts';
import { page } from './page.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'docs/reference/statistics.md' },
  },
});

const seed = Number(values.seed);
if (!Number.isInteger(seed) || seed < 1) throw new Error('--seed: a whole number is wanted');

/** What a run of a preset adds up to. */
async function counted(preset: Preset): Promise<Counts> {
  const counts = noCounts();
  const record: RunRecord = {
    begin: () => undefined,
    case: ({ property, outcome }) => {
      if (outcome.kind === 'judged') count(counts, property, outcome.drive);
    },
    failure: () => undefined,
    doubt: () => undefined,
  };
  await runConformance({ adapter: referenceAdapter(), preset, seed, record });
  return counts;
}

const runs: Counts[] = [];
for (const preset of presetNames) runs.push(await counted(preset));
const profile = await referenceAdapter().describe();
const grids = coveredGrids(
  properties,
  profile,
  seed,
  runs.map(({ properties: given }) => given),
);
const [byDefault = noCounts(), thorough = noCounts()] = runs;
writeFileSync(values.out, page({ byDefault, thorough, grids, seed }));
