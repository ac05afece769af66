import { loadRules, type RuleSet } from '../../oracle/index.ts';
import {
  properties,
  runConformance,
  selectProperties,
  type RunOptions,
  type RunProgress,
} from '../../suites/index.ts';
import { printable } from '../../report/printable.ts';
import type { RunResult } from '../../report/results.ts';
import { resolveAdapter } from '../adapter/registry.ts';
import type { RunCommand } from './command.ts';
import { exitCode, messageOf } from '../exit-codes.ts';
import { catchInterrupt } from '../interrupt.ts';
import { JournalWriter, lastRun } from '../journal/writer.ts';
import { jobsAsked } from '../jobs/asked.ts';
import { knownOf, listedKnown, tellOfOld } from '../files/known-of-run.ts';
import { listText } from '../list-text.ts';
import { runExit, unreached } from '../outcome.ts';
import { both, TraceWriter } from '../judge/writer.ts';
import type { Arguments } from '../flags/parse.ts';
import { createProgress, type Progress } from '../progress.ts';
import { reportExtras } from '../report-context.ts';
import { renderRun, mustTakeReports, reportTargets, writeReports } from '../report-output.ts';
import { selectedLevel, selectedRules, selectedSuites } from '../flags/rule-selection.ts';
import { presetOf, seedOf, shardOf } from '../flags/run-options.ts';

/** Where failures are kept, and replayed from first; below the working directory. */
const caseDirectory = '.rdma-conform/cases';

const stuckText = 'the device waits for something that never comes';

const mostRuns = 1_000_000_000;

/** What the command line says of a run. */
interface Asked extends Omit<RunOptions, 'adapter'> {
  rule?: readonly string[];
}

/** Everything that the command line says of a run; a mistake in it must show before anything starts. */
function optionsOf(args: Arguments, set: RuleSet): Asked {
  const given = {
    runs: args.integer('runs', 1, mostRuns),
    suite: selectedSuites(args, [...new Set(properties.map((property) => property.suite))]),
    rule: selectedRules(args, 'rule', set),
    level: selectedLevel(args),
    preset: presetOf(args),
    timeLimit: args.seconds('timeLimit'),
    shrinkTime: args.seconds('shrinkTime'),
    shard: shardOf(args),
  };
  const { runs, preset, suite, rule, level, timeLimit, shrinkTime, shard } = given;
  return {
    rules: set,
    seed: seedOf(args),
    bail: args.has('bail'),
    ...(runs === undefined ? {} : { runs }),
    ...(suite === undefined ? {} : { suite }),
    ...(rule === undefined ? {} : { rule }),
    ...(level === undefined ? {} : { level }),
    ...(preset === undefined ? {} : { preset }),
    ...(timeLimit === undefined ? {} : { timeLimit }),
    ...(shrinkTime === undefined ? {} : { shrinkTime }),
    ...(shard === undefined ? {} : { shard }),
  };
}

function showProgress(progress: Progress, timeLimit: number | undefined): (state: RunProgress) => void {
  return ({ phase, cases, of, rulesExercised, rulesTotal, failures, elapsed }) => {
    const byTime = timeLimit === undefined ? 0 : elapsed / (timeLimit * 1000);
    const byCases = of > 0 ? cases / of : 0;
    progress.update({
      doing: phase === 'shrinking' ? 'shrinking a failure' : '',
      cases,
      rulesExercised,
      rulesTotal,
      failures,
      done: Math.min(1, Math.max(byTime, byCases)),
    });
  };
}

/** Says of a rule that was asked for and never exercised where it would be. */
function unreachedText(id: string, { suite }: Asked, tried: RunResult['properties']): string {
  const aiming = properties.filter(({ aims }) => aims?.includes(id) === true);
  const within = selectProperties(aiming, suite === undefined ? {} : { suite });
  const suites = [...new Set(aiming.map((property) => property.suite))];
  const why =
    within.length > 0 && tried.every(({ verdict }) => verdict === 'unsupported')
      ? 'this device cannot try what aims at it'
      : within.length > 0
        ? 'more --runs or another --seed may reach it'
        : suites.length > 0
          ? `no property of the suite asked for aims at it; of suite ${suites.join(', ')} there are some`
          : 'no property aims at it';
  return `rule ${id} was asked for and never exercised, which makes this run inconclusive: ${why}`;
}

/** `run`: the suites on a device. */
export const runCommand: RunCommand = async (args, context) => {
  const { streams, directory } = context;
  const targets = reportTargets(args.texts('reporter'));
  const set = loadRules();
  const options = optionsOf(args, set);
  if (args.has('list')) {
    streams.out(listText(properties, set, options, streams));
    return exitCode.ok;
  }
  const adapterName = args.text('adapter') ?? 'reference';
  const listed = listedKnown(args, set, context);
  mustTakeReports(targets, directory, 'run');
  const adapter = await resolveAdapter(adapterName, context.directory);
  const wanted = args.text('trace');
  const jobs = jobsAsked(args, adapter, { adapter: adapterName, directory, traces: wanted !== undefined });

  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  const interrupt = catchInterrupt((stuck) => {
    progress.log(`${stuck ? stuckText : 'interrupted'}: reporting what was found (once more to kill)`);
  });
  const traces = wanted === undefined ? undefined : new TraceWriter(wanted, context.directory);
  const begun = new Date().toISOString();
  const journal = new JournalWriter(lastRun, { ...context, asked: adapterName, log: progress.log });
  try {
    const ended = await runConformance({
      ...options,
      adapter,
      ...jobs,
      record: both(journal, traces),
      known: ({ version }) => {
        const known = knownOf(listed, { adapter: adapterName, version }, context);
        tellOfOld(known, args.text('known'), context);
        // what one suite does not show, another may
        return options.suite === undefined
          ? known
          : known.map((entry) => ({ seldom: 'in other suites', ...entry }));
      },
      caseDirectory,
      signal: interrupt.signal,
      log: progress.log,
      onProgress: showProgress(progress, options.timeLimit),
    });
    progress.end();
    const { commandLine: command } = context;
    const result = {
      ...ended,
      begun,
      ...(command !== undefined && { command }),
      ...(interrupt.stuck && { errors: [...ended.errors, stuckText] }),
    };
    journal.end(result);
    const extras = await reportExtras(targets, context.directory, {
      adapter: adapterName,
      verbose: args.has('verbose'),
      run: result,
      isPart: options.rule !== undefined || options.level !== undefined,
    });
    writeReports(targets, renderRun(result, extras), context);
    const { rule: asked } = options;
    for (const error of result.errors) streams.err(`rdma-conform: ${printable(error)}\n`);
    for (const id of unreached(result.rules, asked))
      streams.err(`${unreachedText(id, options, result.properties)}\n`);
    const strictness = { strict: args.has('strict'), requireCoverage: args.has('requireCoverage'), asked };
    return runExit(result, strictness);
  } catch (thrown) {
    progress.end();
    if (journal.begun) streams.err('"rdma-conform report" shows what was found until then\n');
    // a device that is being opened gives up by throwing
    if (!interrupt.signal.aborted) throw thrown;
    streams.err(`rdma-conform: interrupted: ${messageOf(thrown)}\n`);
    return exitCode.interrupted;
  } finally {
    progress.end();
    journal.close();
    traces?.close();
    interrupt.release();
  }
};
