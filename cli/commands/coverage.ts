import { styleFor } from '../../report/style.ts';
import { hanging } from '../../report/text.ts';
import type { CommandContext, RunCommand } from './command.ts';
import { statementStatuses, undoneOf, type Coverage, type StatementStatus } from '../coverage/coverage.ts';
import { readKills, readRun } from '../coverage/evidence.ts';
import { CoverageError, gatherCoverage } from '../coverage/gather.ts';
import { onlyDocuments } from '../coverage/select.ts';
import { coverageText } from '../coverage/text.ts';
import { CliError, exitCode, usageError } from '../exit-codes.ts';
import { unknownWord } from '../flags/nearest.ts';
import { selectedFormat } from '../flags/output-format.ts';
import type { Arguments } from '../flags/parse.ts';
import { packageVersion } from '../version.ts';

/** The coverage; a mistake in its data ends with 78 and every mistake on stderr. */
function gather(args: Arguments, context: CommandContext): Coverage {
  const resultsFile = args.text('results');
  const mutantsFile = args.text('mutantsFile');
  const run = resultsFile === undefined ? undefined : readRun(resultsFile, context.directory);
  const killed = mutantsFile === undefined ? undefined : readKills(mutantsFile, context.directory);
  const coverage = ((): Coverage => {
    try {
      return gatherCoverage({ run, kills: killed?.kills });
    } catch (thrown) {
      if (!(thrown instanceof CoverageError)) throw thrown;
      const [heading = '', ...mistakes] = thrown.message.split('\n');
      context.streams.err(mistakes.map((line) => `${line}\n`).join(''));
      throw new CliError(exitCode.config, heading, { cause: thrown });
    }
  })();
  for (const [file, spec] of [
    [resultsFile, run?.spec],
    [mutantsFile, killed?.spec],
  ]) {
    if (file === undefined || spec === undefined || spec === coverage.spec) continue;
    context.streams.err(`${file} was made with other rules (${spec}, now ${coverage.spec})\n`);
  }
  return coverage;
}

function selectedDocuments(args: Arguments, coverage: Coverage): Coverage {
  const names = args.texts('doc');
  if (names.length === 0) return coverage;
  const known = [...new Set(coverage.documents.flatMap(({ id, prefix }) => [id, prefix]))];
  for (const name of names) {
    if (!known.includes(name)) throw usageError(unknownWord('document', name, known));
  }
  return onlyDocuments(coverage, names);
}

function selectedStatuses(args: Arguments): StatementStatus[] | undefined {
  const words = args.texts('status').flatMap((value) => value.split(','));
  if (words.length === 0) return undefined;
  return words.map((word) => {
    const status = statementStatuses.find((candidate) => candidate === word);
    if (status === undefined) throw usageError(unknownWord('status', word, statementStatuses));
    return status;
  });
}

/** `coverage`: what covers each statement of the source documents, and what proves it. */
// oxlint-disable-next-line require-await -- commands are asynchronous, this one has nothing to wait for
export const coverageCommand: RunCommand = async (args, context) => {
  const { streams } = context;
  const format = selectedFormat(args);
  const statuses = selectedStatuses(args);
  const coverage = selectedDocuments(args, gather(args, context));
  if (format === 'json') {
    const statements = coverage.statements.filter(({ status }) => statuses?.includes(status) ?? true);
    streams.out(`${JSON.stringify({ ...coverage, statements }, undefined, 2)}\n`);
  } else {
    const style = styleFor(streams.colour);
    const title = [
      `rdma-conform ${packageVersion()}`,
      'coverage of the statements',
      ...(coverage.run === undefined ? [] : [`exercised by ${coverage.run.adapter}`]),
      `rules ${coverage.spec}`,
    ].join(' | ');
    streams.out(`${hanging('', title, streams.width).map(style.bold).join('\n')}\n\n`);
    streams.out(
      coverageText(coverage, {
        width: streams.width,
        style,
        ...(statuses === undefined ? {} : { statuses }),
      }),
    );
  }
  const { statements, rules } = undoneOf(coverage);
  return args.has('check') && statements.length + rules.length > 0 ? exitCode.fail : exitCode.ok;
};
