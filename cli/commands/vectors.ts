import { loadRules } from '../../oracle/index.ts';
import { properties, runConformance } from '../../suites/index.ts';
import { exitCode } from '../exit-codes.ts';
import { selectedRules, selectedSuites } from '../flags/rule-selection.ts';
import { seedOf } from '../flags/run-options.ts';
import { inPlaceOf, readTarget } from '../vectors/target.ts';
import { VectorWriter } from '../vectors/writer.ts';
import type { RunCommand } from './command.ts';

const defaultVectors = 200;
const mostVectors = 100_000;

/** `vectors DIR`: writes scenarios as files, for a bench that plays them by itself. */
export const vectorsCommand: RunCommand = async (args, { streams, directory }) => {
  const [folder = '.'] = args.operands;
  const set = loadRules();
  const target = readTarget(args.text('target'), directory);
  const suite = selectedSuites(args, [...new Set(properties.map((property) => property.suite))]);
  const rule = selectedRules(args, 'rule', set);
  const options = {
    rules: set,
    seed: seedOf(args),
    runs: args.integer('vectorRuns', 1, mostVectors) ?? defaultVectors,
    ...(suite !== undefined && { suite }),
    ...(rule !== undefined && { rule }),
  };
  const adapter = await inPlaceOf(target);
  const writer = new VectorWriter(folder, directory, target);
  await runConformance({ ...options, adapter, record: writer });
  const { written, left } = writer.finish();
  streams.out(
    `${written} vectors written to ${folder}; vectors.json lists them. Record what your device does, then: npx rdma-conform judge TRACE\n`,
  );
  if (left > 0)
    streams.err(
      `${left} cases are not among them: there the device is a requester, talks to itself or is behind a switch, which no file can play\n`,
    );
  return written > 0 ? exitCode.ok : exitCode.inconclusive;
};
