import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { loadRules } from '../../oracle/index.ts';
import { TraceFileError, TraceReader } from '../../suites/trace-file/read.ts';
import { isPcap } from '../../wire/capture/read-pcap.ts';
import { isPcapng } from '../../wire/capture/read-pcapng.ts';
import { withoutMark } from '../files/read-text.ts';
import { TraceFile } from '../judge/traces.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { cannotRead } from '../files/file-trouble.ts';
import { rulesToJudge } from '../flags/rule-selection.ts';
import { catchInterrupt } from '../interrupt.ts';
import { checkExit, unreached } from '../outcome.ts';
import { reportExtras } from '../report-context.ts';
import { renderCheck, mustTakeReports, reportTargets, writeReports } from '../report-output.ts';
import type { CommandContext, RunCommand } from './command.ts';

/** A capture is no trace, and has a command of its own. */
function mustBeText(file: string, { directory }: CommandContext): void {
  const path = resolve(directory, file);
  const head = new Uint8Array(4);
  try {
    if (file === '-' || !statSync(path).isFile()) return;
    const descriptor = openSync(path, 'r');
    try {
      readSync(descriptor, head);
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    throw usageError(cannotRead(file, thrown));
  }
  if (isPcap(head) || isPcapng(head)) throw usageError(`${file} is a capture; "check" judges it`);
}

/** The lines of a file, or of standard input for `-`. */
async function* linesOf(file: string, { directory }: CommandContext): AsyncGenerator<string> {
  const input: Readable = file === '-' ? process.stdin : createReadStream(resolve(directory, file));
  try {
    let first = true;
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      yield first ? withoutMark(line) : line;
      first = false;
    }
  } catch (thrown) {
    throw usageError(cannotRead(file, thrown));
  } finally {
    input.destroy();
  }
}

/** `judge TRACE`: judges recorded traces of any bench. */
export const judgeCommand: RunCommand = async (args, context) => {
  const [file = '-'] = args.operands;
  const { streams } = context;
  const targets = reportTargets(args.texts('reporter'));
  const set = loadRules();
  const { asked, rules } = rulesToJudge(args, set);
  mustBeText(file, context);
  mustTakeReports(targets, context.directory, 'check');
  const start = performance.now();
  const interrupt = catchInterrupt(() => {
    streams.err('interrupted: reporting what was found (once more to kill)\n');
  });
  const traces = new TraceFile(set, rules);
  const reader = new TraceReader();
  let wrong: TraceFileError | undefined;
  try {
    for await (const text of linesOf(file, context)) {
      if (interrupt.signal.aborted) break;
      const line = reader.read(text);
      if (line !== undefined) traces.take(line);
    }
  } catch (thrown) {
    if (!(thrown instanceof TraceFileError)) throw thrown;
    wrong = thrown;
  } finally {
    interrupt.release();
  }
  const judged = traces.finish(file, performance.now() - start, interrupt.signal.aborted);
  const errors = wrong === undefined ? [] : [`${file}, ${wrong.message}. What stood before was judged.`];
  const result = { ...judged, errors };
  writeReports(targets, renderCheck(result, await reportExtras(targets, context.directory)), context);
  for (const error of errors) streams.err(`rdma-conform: ${error}\n`);
  for (const id of unreached(result.rules, asked))
    streams.err(`rule ${id} was asked for, and decided nothing in these traces: inconclusive\n`);
  // the wrong file was named, as for one that cannot be read
  if (wrong !== undefined) return exitCode.usage;
  const strictness = { strict: args.has('strict'), requireCoverage: args.has('requireCoverage'), asked };
  return checkExit(result, strictness);
};
