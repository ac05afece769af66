import type { Adapter } from '../../adapters/adapter.ts';
import { loadRules } from '../../oracle/index.ts';
import { properties, type RunOptions } from '../../suites/index.ts';
import type { RoundOptions } from '../../suites/campaign/round.ts';
import { printable } from '../../report/printable.ts';
import { resolveAdapter } from '../adapter/registry.ts';
import { CampaignFolder } from '../campaign/folder.ts';
import { CampaignHistory } from '../campaign/history.ts';
import { campaignText } from '../campaign/text.ts';
import { exitCode } from '../exit-codes.ts';
import { knownOf, listedKnown } from '../files/known-of-run.ts';
import type { Arguments } from '../flags/parse.ts';
import { seedOf } from '../flags/run-options.ts';
import { selectedSuites } from '../flags/rule-selection.ts';
import { catchInterrupt } from '../interrupt.ts';
import { jobsAsked } from '../jobs/asked.ts';
import { runExit } from '../outcome.ts';
import { createProgress, type Progress } from '../progress.ts';
import { reportExtras } from '../report-context.ts';
import { renderRun, mustTakeReports, reportTargets, writeReports } from '../report-output.ts';
import type { CommandContext, RunCommand } from './command.ts';

const mostRounds = 1_000_000;
const mostRuns = 1_000_000_000;

/** What the command line asks of every round. */
interface Asked {
  adapterName: string;
  /** digest of the rules */
  spec: string;
  rounds: number;
  /** seconds */
  timeLimit: number;
  firstSeed: number;
  ofRounds: Pick<RoundOptions, 'suite' | 'runs' | 'preset' | 'shrinkTime' | 'rules' | 'known'>;
}

function askedOf(args: Arguments, context: CommandContext): Asked {
  const rules = loadRules();
  const adapterName = args.text('adapter') ?? 'reference';
  const suite = selectedSuites(args, [...new Set(properties.map((property) => property.suite))]);
  const runs = args.integer('runs', 1, mostRuns);
  const shrinkTime = args.seconds('shrinkTime');
  const listed = listedKnown(args, rules, context);
  return {
    adapterName,
    spec: rules.digest,
    rounds: args.integer('rounds', 1, mostRounds) ?? Infinity,
    timeLimit: args.seconds('timeLimit') ?? Infinity,
    firstSeed: seedOf(args),
    ofRounds: {
      rules,
      ...(suite === undefined ? {} : { suite }),
      ...(runs === undefined ? { preset: 'default' } : { runs }),
      ...(shrinkTime === undefined ? {} : { shrinkTime }),
      known: ({ version }) => knownOf(listed, { adapter: adapterName, version }, context),
    },
  };
}

function progressOf({ streams }: CommandContext): Progress {
  return createProgress({ write: streams.err, terminal: streams.progress, width: streams.errWidth });
}

/** Round after round until one of the limits, or Ctrl-C. Gives how many there were. */
async function runRounds(
  adapter: Adapter,
  history: CampaignHistory,
  { ofRounds, rounds, timeLimit, firstSeed }: Asked,
  jobs: Pick<RunOptions, 'runner'>,
  progress: Progress,
): Promise<number> {
  const interrupt = catchInterrupt((stuck) => {
    progress.log(
      stuck ? 'the device waits for something that never comes' : 'interrupted: this round counts as it is',
    );
  });
  const began = performance.now();
  const left = (): number => timeLimit - (performance.now() - began) / 1000;
  let now = 0;
  try {
    for (let goesOn = true; goesOn && now < rounds && left() > 0 && !interrupt.signal.aborted; now++) {
      const { number, cases: caseDirectory } = history.next;
      goesOn = await history.round({
        ...ofRounds,
        adapter,
        ...jobs,
        seed: (firstSeed + number - 1) >>> 0,
        ...(timeLimit === Infinity ? {} : { timeLimit: left() }),
        caseDirectory,
        signal: interrupt.signal,
        log: progress.log,
        onProgress: ({ cases, of, rulesExercised, rulesTotal, failures, phase }) => {
          progress.update({
            doing: phase === 'shrinking' ? 'shrinking a failure' : `round ${number}`,
            cases,
            rulesExercised,
            rulesTotal,
            failures,
            done: Math.min(1, cases / of),
          });
        },
      });
    }
  } finally {
    progress.end();
    interrupt.release();
  }
  return now;
}

/** `campaign DIR`: rounds of cases on one device for as long as one likes, from where the last call of it ended. */
export const campaignCommand: RunCommand = async (args, context) => {
  const { streams, directory } = context;
  const targets = reportTargets(args.texts('reporter'));
  const asked = askedOf(args, context);
  const folder = new CampaignFolder(args.operands[0] ?? '', directory);
  const history = new CampaignHistory(folder, asked.adapterName, asked.spec);
  mustTakeReports(targets, directory, 'run');
  if (history.outdated)
    streams.err('the rules have changed: what was reached is counted anew; the cases that were kept stay\n');
  const adapter = await resolveAdapter(asked.adapterName, directory);
  const jobs = jobsAsked(args, adapter, { adapter: asked.adapterName, directory, traces: false });
  const now = await runRounds(adapter, history, asked, jobs, progressOf(context));
  const { result: all, rounds, reached } = history;
  if (all === undefined) return exitCode.interrupted;
  const { commandLine: command } = context;
  const result = { ...all, ...(command !== undefined && { command }) };
  const extras = await reportExtras(targets, directory, {
    adapter: asked.adapterName,
    verbose: args.has('verbose'),
    run: result,
  });
  writeReports(targets, renderRun(result, extras), context);
  streams.out(campaignText(rounds, result, { folder: folder.name, now, ...reached, width: streams.width }));
  for (const error of result.errors) streams.err(`rdma-conform: ${printable(error)}\n`);
  return runExit(result, { strict: args.has('strict'), requireCoverage: args.has('requireCoverage') });
};
