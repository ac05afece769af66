import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Judge, loadRules } from '../../oracle/index.ts';
import { readCapture } from '../../wire/index.ts';
import type { CommandContext, RunCommand } from './command.ts';
import type { CheckResult } from '../../report/check-results.ts';
import { checkResult } from '../check/check-result.ts';
import { feedCapture } from '../check/feed.ts';
import { annotate } from '../check/annotate.ts';
import { completeness } from '../check/complete.ts';
import { withLadders, type Reread } from '../check/evidence.ts';
import { openChunks, type ChunkedFile } from '../check/file-chunks.ts';
import { usageError } from '../exit-codes.ts';
import { cannotRead, cannotWrite } from '../files/file-trouble.ts';
import { catchInterrupt } from '../interrupt.ts';
import { checkExit, unreached } from '../outcome.ts';
import { createProgress } from '../progress.ts';
import { reportExtras } from '../report-context.ts';
import { renderCheck, reportTargets, writeReports } from '../report-output.ts';
import { rulesToJudge } from '../flags/rule-selection.ts';

function open(file: string, { directory }: CommandContext): ChunkedFile {
  try {
    return openChunks(resolve(directory, file));
  } catch (thrown) {
    throw usageError(cannotRead(file, thrown));
  }
}

/**
 * The result with what shows its violations, and the capture with comments where it was asked for. What cannot be read again,
 * such as a pipe, is reported without.
 */
function evident(result: CheckResult, out: string | undefined, context: CommandContext): CheckResult {
  const { file } = result;
  const path = resolve(context.directory, file);
  if (!statSync(path).isFile()) {
    if (out !== undefined) throw usageError(`--annotate: ${file} cannot be read a second time`);
    return result;
  }
  const reread: Reread = function* () {
    const source = open(file, context);
    try {
      yield* readCapture(source.chunks);
    } finally {
      source.close();
    }
  };
  if (out !== undefined) {
    const target = resolve(context.directory, out);
    if (target === path) throw usageError('--annotate must not name the capture itself');
    try {
      annotate(reread, result.violations, target);
    } catch (thrown) {
      throw usageError(cannotWrite(out, thrown));
    }
  }
  return { ...result, violations: withLadders(result.violations, reread) };
}

/** `check FILE`: judges both ends of every connection in a capture. */
export const checkCommand: RunCommand = async (args, context) => {
  const [file = ''] = args.operands;
  const { streams } = context;
  const targets = reportTargets(args.texts('reporter'));
  const set = loadRules();
  const { asked, rules } = rulesToJudge(args, set);
  const complete = completeness(args);

  const start = performance.now();
  const source = open(file, context);
  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  const interrupt = catchInterrupt(() => {
    progress.log('interrupted: reporting what was found (once more to kill)');
  });
  try {
    const sight = { packets: 'mid-path', verbs: false } as const;
    const judge = new Judge({ sight, clock: 'recorded', ...complete }, set);
    const fed = await feedCapture(
      readCapture(source.chunks),
      (event) => {
        judge.push(event);
      },
      {
        signal: interrupt.signal,
        progress: ({ packets }) => {
          const done = source.done();
          progress.update({ packets, ...(done === undefined ? {} : { done }) });
        },
      },
    );
    progress.end();
    if (fed.frames === 0 && fed.damage?.offset === 0) {
      // none of it is a capture, damaged or not
      throw usageError(`${file}: ${fed.damage.message.replace(/^damaged capture file at byte 0: /, '')}`);
    }
    const durationMs = performance.now() - start;
    const judged = checkResult({ file, set, rules, judgement: judge.finish(), fed, durationMs });
    const result = evident(judged, args.text('annotate'), context);
    writeReports(targets, renderCheck(result, await reportExtras(targets, context.directory)), context);
    if (result.damage !== undefined) streams.err(`rdma-conform: ${file}: ${result.damage.message}\n`);
    for (const id of unreached(result.rules, asked)) {
      streams.err(`rule ${id} was asked for, and decided nothing in this capture: inconclusive\n`);
    }
    const strictness = { strict: args.has('strict'), requireCoverage: args.has('requireCoverage'), asked };
    return checkExit(result, strictness);
  } finally {
    progress.end();
    interrupt.release();
    source.close();
  }
};
