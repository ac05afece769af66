import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { caseFile } from '../../suites/case/index.ts';
import type { RunResult } from '../../report/results.ts';
import type { CommandContext, RunCommand } from './command.ts';
import { usageError } from '../exit-codes.ts';
import { askedOf } from '../files/asked-of.ts';
import { cannotRead } from '../files/file-trouble.ts';
import { readJournal } from '../journal/read.ts';
import { lastRun } from '../journal/writer.ts';
import { runExit } from '../outcome.ts';
import { readResults } from '../files/read-checked.ts';
import { reportExtras } from '../report-context.ts';
import { renderRun, reportTargets, writeReports } from '../report-output.ts';

interface Found {
  result: RunResult;
  /** the device as `--adapter` named it, where the file tells */
  asked?: string;
}

async function read(file: string, { streams, directory }: CommandContext): Promise<Found> {
  if (file.endsWith('.json')) {
    const result = readResults(file, directory, 'report');
    const asked = askedOf(result);
    return { result, ...(asked !== undefined && { asked }) };
  }
  const path = resolve(directory, file);
  const { result, asked, whole } = await readJournal(path, file).catch((thrown: unknown) => {
    if (file === lastRun && !existsSync(path))
      throw usageError(`no run has left anything here: there is no ${file}`);
    throw thrown instanceof Error && 'syscall' in thrown ? usageError(cannotRead(file, thrown)) : thrown;
  });
  if (!whole) {
    const cases = join(dirname(file), 'cases');
    for (const failure of result.failures) {
      const { rule, signature, scenario } = failure;
      const kept = caseFile(cases, {
        rule,
        adapter: result.adapter.name,
        scenario,
        ...(signature !== undefined && { signature }),
      });
      if (failure.caseFile === undefined && existsSync(resolve(directory, kept))) failure.caseFile = kept;
    }
  }
  if (!whole) streams.err(`${file}: the run was cut off; this is what it had found\n`);
  return { result, asked };
}

/** `report [FILE]`: reports of a run that is over, by what it has written while it ran or by its json report. */
export const reportCommand: RunCommand = async (args, context) => {
  const targets = reportTargets(args.texts('reporter'));
  const [file = lastRun] = args.operands;
  const { result, asked } = await read(file, context);
  const extras = await reportExtras(targets, context.directory, {
    adapter: asked,
    run: result,
    verbose: args.has('verbose'),
  });
  writeReports(targets, renderRun(result, extras), context);
  return runExit(result, { strict: args.has('strict'), requireCoverage: args.has('requireCoverage') });
};
