import { mergeRuns, MergeError } from '../../report/merge.ts';
import { missingParts, type RunResult } from '../../report/results.ts';
import type { RunCommand } from './command.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { runExit } from '../outcome.ts';
import { readResults } from '../files/read-checked.ts';
import { reportExtras } from '../report-context.ts';
import { renderRun, reportTargets, writeReports } from '../report-output.ts';

/** `merge FILES`: the json reports of the parts of a campaign, reported as one run. */
export const mergeCommand: RunCommand = async (args, context) => {
  const targets = reportTargets(args.texts('reporter'));
  const parts = args.operands.map((file) => readResults(file, context.directory, 'merge'));
  const result = ((): RunResult => {
    try {
      return mergeRuns(parts);
    } catch (thrown) {
      throw thrown instanceof MergeError ? usageError(thrown.message) : thrown;
    }
  })();
  const extras = await reportExtras(targets, context.directory, {
    adapter: result.adapter.name,
    run: result,
    verbose: args.has('verbose'),
  });
  writeReports(targets, renderRun(result, extras), context);
  const strictness = { strict: args.has('strict'), requireCoverage: args.has('requireCoverage') };
  const code = runExit(result, strictness);
  // What a part would have shown is unknown, not fine: its job may have died.
  const lacks = result.shards !== undefined && missingParts(result.shards).length > 0;
  return code === exitCode.ok && lacks ? exitCode.inconclusive : code;
};
