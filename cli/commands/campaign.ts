import { loadRules } from '../../oracle/index.ts';
import { campaignRound, type RoundOptions } from '../../suites/campaign/round.ts';
import { begun, type CampaignState } from '../../suites/campaign/state.ts';
import { Pairs } from '../../suites/campaign/pairs.ts';
import { properties } from '../../suites/index.ts';
import { mergeRounds } from '../../report/merge.ts';
import { printable } from '../../report/printable.ts';
import { resolveAdapter } from '../adapter/registry.ts';
import { CampaignFolder } from '../campaign/folder.ts';
import { campaignText } from '../campaign/text.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { knownOf, listedKnown } from '../files/known-of-run.ts';
import { seedOf } from '../flags/run-options.ts';
import { selectedSuites } from '../flags/rule-selection.ts';
import { catchInterrupt } from '../interrupt.ts';
import { runExit } from '../outcome.ts';
import { createProgress } from '../progress.ts';
import { reportExtras } from '../report-context.ts';
import { renderRun, reportTargets, writeReports } from '../report-output.ts';
import type { RunCommand } from './command.ts';

const mostRounds = 1_000_000;
const mostRuns = 1_000_000_000;

/** What an earlier call left. Throws a usage error where it was on another device. */
function earlier(folder: CampaignFolder, adapter: string): CampaignState | undefined {
  const state = folder.state();
  if (state !== undefined && state.adapter !== adapter)
    throw usageError(
      `${folder.name} holds a campaign on ${state.adapter}; take another folder for ${adapter}`,
    );
  return state;
}

/** `campaign DIR`: rounds of cases on one device for as long as one likes, from where the last call of it ended. */
export const campaignCommand: RunCommand = async (args, context) => {
  const { streams, directory } = context;
  const targets = reportTargets(args.texts('reporter'));
  const set = loadRules();
  const adapterName = args.text('adapter') ?? 'reference';
  const suite = selectedSuites(args, [...new Set(properties.map((property) => property.suite))]);
  const runs = args.integer('runs', 1, mostRuns);
  const rounds = args.integer('rounds', 1, mostRounds) ?? Infinity;
  const timeLimit = args.positive('timeLimit') ?? Infinity;
  const shrinkTime = args.positive('shrinkTime');
  const firstSeed = seedOf(args);
  const listed = listedKnown(args, set, context);
  const folder = new CampaignFolder(args.operands[0] ?? '', directory);
  const left = earlier(folder, adapterName);
  const before = left?.spec === set.digest ? left : undefined;
  if (before !== left)
    streams.err('the rules have changed: what was reached is counted anew; the cases that were kept stay\n');
  let state = before ?? begun(adapterName, set.digest);
  let result = before === undefined ? undefined : folder.results();
  let kept = folder.kept();
  folder.make();
  const adapter = await resolveAdapter(adapterName, directory);
  const pairs = new Pairs(state.pairs);

  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  const interrupt = catchInterrupt((stuck) => {
    progress.log(
      stuck ? 'the device waits for something that never comes' : 'interrupted: this round counts as it is',
    );
  });
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  let now = 0;
  try {
    while (now < rounds && elapsed() < timeLimit && !interrupt.signal.aborted) {
      const number = state.rounds.length + 1;
      const seed = (firstSeed + number - 1) >>> 0;
      const start = elapsed();
      const options: RoundOptions = {
        adapter,
        rules: set,
        seed,
        ...(suite === undefined ? {} : { suite }),
        ...(runs === undefined ? { preset: 'default' } : { runs }),
        ...(timeLimit === Infinity ? {} : { timeLimit: timeLimit - start }),
        ...(shrinkTime === undefined ? {} : { shrinkTime }),
        known: ({ version }) => knownOf(listed, { adapter: adapterName, version }, context),
        caseDirectory: folder.casesOf(number),
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
      };
      const round = await campaignRound(options, {
        kept,
        pairs,
        ...(result === undefined ? {} : { result }),
      });
      now++;
      const { cases, failures } = round.result;
      const seconds = Math.round((elapsed() - start) * 1000) / 1000;
      const news = round.kept.reduce((sum, one) => sum + one.news, 0);
      result = result === undefined ? round.result : mergeRounds(result, round.result);
      state = {
        ...state,
        rounds: [...state.rounds, { seed, cases, seconds, news, findings: failures.length }],
        pairs: pairs.data(),
      };
      kept = folder.write(state, result, [...kept, ...round.kept]);
      if (round.result.errors.length > 0) break;
    }
  } finally {
    progress.end();
    interrupt.release();
  }
  if (result === undefined) return exitCode.interrupted;
  const extras = await reportExtras(targets, directory, {
    adapter: adapterName,
    verbose: args.has('verbose'),
    command: context.commandLine,
    run: result,
  });
  writeReports(targets, renderRun(result, extras), context);
  streams.out(
    campaignText(state.rounds, result, {
      folder: folder.name,
      now,
      pairs: pairs.size,
      kept: kept.length,
      width: streams.width,
    }),
  );
  for (const error of result.errors) streams.err(`rdma-conform: ${printable(error)}\n`);
  return runExit(result, { strict: args.has('strict'), requireCoverage: args.has('requireCoverage') });
};
