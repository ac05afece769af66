import { resolve } from 'node:path';
import { loadRules } from '../../oracle/index.ts';
import type { CommandContext, RunCommand } from './command.ts';
import { frameName } from '../../report/check-words.ts';
import { duration } from '../../report/text.ts';
import type { CheckResult } from '../../report/check-results.ts';
import type { CaptureJudge } from '../check/capture-judge.ts';
import { checkResult } from '../check/check-result.ts';
import { feedCapture, type Fed } from '../check/feed.ts';
import { annotate } from '../check/annotate.ts';
import { completeness } from '../check/complete.ts';
import { congestionOf } from '../check/congestion.ts';
import { withLadders } from '../check/evidence.ts';
import { captureJudge } from '../check/jobs/open.ts';
import { draw } from '../check/pictures/draw.ts';
import { CaptureSource, notACapture } from '../check/source.ts';
import { usageError } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';
import { catchInterrupt } from '../interrupt.ts';
import { checkExit, unreached } from '../outcome.ts';
import { createProgress } from '../progress.ts';
import { reportExtras } from '../report-context.ts';
import { renderCheck, mustTakeReports, reportTargets, writeReports } from '../report-output.ts';
import { rulesToJudge } from '../flags/rule-selection.ts';

/**
 * The result with what shows its violations, and the capture with comments where it was asked for. What cannot be read again,
 * such as a pipe, is reported without.
 */
function evident(
  result: CheckResult,
  out: string | undefined,
  source: CaptureSource,
  { directory }: CommandContext,
): CheckResult {
  if (!source.again) return result;
  if (out !== undefined) {
    const target = resolve(directory, out);
    if (source.holds(target)) throw usageError('--annotate must not name the capture itself');
    try {
      annotate(
        () => source.asWritten(),
        () => source.records(),
        result.violations,
        target,
      );
    } catch (thrown) {
      throw usageError(cannotWrite(out, thrown));
    }
  }
  const place = (number: number): string => `frame ${source.place(number).frame}`;
  return { ...result, violations: withLadders(result.violations, () => source.records(), place) };
}

/** Threads that are of use to anybody. */
const mostJobs = 64;

/** The result with frames by file and number in it. */
function placed(result: CheckResult, source: CaptureSource): CheckResult {
  return {
    ...result,
    skipped: result.skipped.map((entry) => {
      const { frame: firstFrame, ...file } = source.place(entry.firstFrame);
      return { ...entry, firstFrame, ...file };
    }),
    violations: result.violations.map((violation) =>
      violation.frame === undefined ? violation : { ...violation, ...source.place(violation.frame) },
    ),
  };
}

/** Writes violations as they are found: a pipe may have no end. */
function teller(judge: CaptureJudge, log: (line: string) => void): (fed: Fed) => void {
  let printed = 0;
  return ({ numbers }) => {
    while (printed < judge.violations.length) {
      const violation = judge.violations[printed++];
      if (violation === undefined) return;
      const { rule, event, t, qp, expected, observed } = violation;
      const frame = numbers.frameOf(event);
      const where = frame === undefined ? '' : `${frameName({ frame })} at `;
      log(`${where}${duration(t)}, ${qp}: ${rule}: expected ${expected}; observed ${observed}`);
    }
  };
}

/** `check FILE...`: judges both ends of every connection in a capture. */
export const checkCommand: RunCommand = async (args, context) => {
  const { streams, directory } = context;
  const targets = reportTargets(args.texts('reporter'));
  const set = loadRules();
  const { asked, rules } = rulesToJudge(args, set);
  const known = {
    ...completeness(args),
    ...congestionOf(args.text('deviceProfile'), directory),
    ...(args.has('ooo') && ({ vendorOpcodes: 'ooo' } as const)),
  };

  const jobs = args.integer('checkJobs', 1, mostJobs) ?? 1;

  mustTakeReports(targets, directory, 'check');
  const start = performance.now();
  const source = new CaptureSource(args.operands, directory);
  if (args.has('annotate') && !source.again)
    throw usageError(`--annotate: ${source.name} cannot be read a second time`);
  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  const interrupt = catchInterrupt(() => {
    progress.log('interrupted: reporting what was found (once more to kill)');
  });
  const sight = { packets: 'mid-path', verbs: false } as const;
  const judge = captureJudge({ sight, clock: 'recorded', ...known }, set, jobs, source.live);
  try {
    const tell = teller(judge, (line) => {
      progress.log(line);
    });
    const fed = await feedCapture(
      source.records(),
      (event) => {
        judge.push(event);
      },
      {
        signal: interrupt.signal,
        room: () => judge.room(),
        place: (number) => String(source.place(number).frame),
        ...(source.live && { judged: tell }),
        progress: ({ packets }) => {
          const done = source.done();
          progress.update({ packets, ...(done === undefined ? {} : { done }) });
        },
      },
    );
    progress.end();
    // none of it is a capture, damaged or not
    if (fed.frames === 0 && fed.damage?.offset === 0) throw notACapture(source.name, fed.damage.message);
    const judgement = await judge.finish();
    // what the end of the capture shows, and what other threads have found meanwhile
    if (source.live) tell(fed);
    const durationMs = performance.now() - start;
    const judged = checkResult({ file: source.name, set, rules, judgement, fed, durationMs });
    const result = placed(evident(judged, args.text('annotate'), source, context), source);
    const extras = await reportExtras(targets, directory);
    const { connections } = judged;
    if (source.again && connections !== undefined)
      extras.pictures = () => draw(source.records(), connections, judged.violations);
    writeReports(targets, renderCheck(result, extras), context);
    if (result.damage !== undefined) streams.err(`rdma-conform: ${source.name}: ${result.damage.message}\n`);
    for (const id of unreached(result.rules, asked)) {
      streams.err(`rule ${id} was asked for, and decided nothing in this capture: inconclusive\n`);
    }
    const strictness = { strict: args.has('strict'), requireCoverage: args.has('requireCoverage'), asked };
    return checkExit(result, strictness);
  } finally {
    progress.end();
    interrupt.release();
    await judge.stop();
  }
};
