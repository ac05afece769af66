// `npm run causes`: how well reports name what is wrong, measured on mutants, each of which has one defect. `--keep FOLDER` keeps the
// runs, so that another way to find causes is measured on the same ones.
import { parseArgs } from 'node:util';
import { referenceAdapter, type MutantId } from '../../adapters/reference/index.ts';
import type { RunResult } from '../../report/results.ts';
import { loadRules } from '../../oracle/index.ts';
import { runConformance } from '../../suites/index.ts';
import { loadMutants } from '../../suites/mutants/index.ts';
import { whole } from '../whole.ts';
import { figuresOf, type Tried } from './figures.ts';
import { keptOr } from './kept.ts';

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '8' },
    runs: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});

async function resultOf(id: MutantId): Promise<RunResult> {
  return runConformance({
    adapter: referenceAdapter({ mutant: id }),
    seed: whole('seed', values.seed, 0),
    runs: whole('runs', values.runs, 1),
    shrinkTime: 1,
  });
}

const every = whole('every', values.every, 1);
const tried: Tried[] = [];
for (const [i, { id, rules }] of loadMutants(loadRules()).entries()) {
  if (i % every !== every - 1) continue;
  const one = { id, rules: new Set(rules), result: await keptOr(values.keep, id, async () => resultOf(id)) };
  tried.push(one);
  process.stderr.write(`${id}: ${one.result.failures.length} findings\n`);
}
for (const line of figuresOf(tried)) process.stdout.write(`${line}\n`);
