import { loadRules } from '../../oracle/index.ts';
import { properties } from '../../suites/index.ts';
import { Hunter, loadMutants, type Hunt, type Mutant } from '../../suites/mutants/index.ts';
import type { RunCommand } from './command.ts';
import { exitCode, usageError, type ExitCode } from '../exit-codes.ts';
import { catchInterrupt } from '../interrupt.ts';
import { hunt, threadsFor, type Job } from '../mutants/pool.ts';
import { propertiesOf } from '../mutants/properties.ts';
import {
  caughtUnawares,
  median,
  mutantCounts,
  mutantResult,
  unseen,
  type MutantsResult,
} from '../mutants/results.ts';
import { mutantsText } from '../mutants/text.ts';
import { unknownWord } from '../flags/nearest.ts';
import { selectedFormat } from '../flags/output-format.ts';
import type { Arguments } from '../flags/parse.ts';
import { createProgress } from '../progress.ts';
import { selectedSuites } from '../flags/rule-selection.ts';
import { seedOf } from '../flags/run-options.ts';
import { packageVersion } from '../version.ts';

const defaultLimit = 5000;
const mostCases = 10_000_000;
const mostSeeds = 1000;
// Cases on a sound device after which a suite has shown which rules it reaches.
const casesOfReach = 1000;
// A mutant that is to survive costs all of its cases.
const casesToSurvive = 1000;

function selectedMutants(args: Arguments, all: readonly Mutant[]): readonly Mutant[] {
  const ids = args.texts('mutant');
  const known = all.map(({ id }) => id);
  for (const id of ids) {
    if (!known.some((candidate) => candidate === id)) throw usageError(unknownWord('mutant', id, known));
  }
  return ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
}

/** What a gate makes of it: survivors fail, and so does an entry that says of a mutant what is not so. */
function mutantsExit(result: MutantsResult): ExitCode {
  const { mutants, interrupted, counts } = result;
  if (counts.error > 0) return exitCode.error;
  if (interrupted) return exitCode.interrupted;
  const wrong = mutants.some((mutant) => unseen(result, mutant).length > 0);
  return counts.survived > 0 || wrong || caughtUnawares(mutants).length > 0 ? exitCode.fail : exitCode.ok;
}

/** `mutants`: the suites against each planted fault of the reference NIC. */
export const mutantsCommand: RunCommand = async (args, context) => {
  const { streams } = context;
  const format = selectedFormat(args);
  const suites = selectedSuites(args, [...new Set(properties.map((property) => property.suite))]);
  const first = seedOf(args);
  const seeds = Array.from({ length: args.integer('seeds', 1, mostSeeds) ?? 1 }, (_, i) => first + i);
  const limit = args.integer('mutantRuns', 1, mostCases) ?? defaultLimit;
  const everyRule = args.has('everyRule');
  const aimed = args.has('aimed');

  const begun = performance.now();
  const rules = loadRules();
  const selected = selectedMutants(args, loadMutants(rules));
  const reached =
    suites === undefined
      ? undefined
      : await new Hunter({ rules, properties: propertiesOf(suites), limit }).reach(first, casesOfReach);
  const within = selected.filter(
    (mutant) =>
      mutant.notJudged !== undefined || reached === undefined || mutant.rules.some((r) => reached.has(r)),
  );
  const hunted = within.filter(({ notJudged }) => notJudged === undefined || everyRule);
  const jobs = seeds.flatMap((seed) =>
    hunted.map(({ id, rules: own, properties: shown = [], notJudged }): Job => ({
      mutant: id,
      seed,
      rules: own,
      every: everyRule,
      ...(aimed ? { aimed: shown } : {}),
      ...(notJudged === undefined ? {} : { limit: casesToSurvive }),
    })),
  );

  const hunts = new Map<string, Hunt[]>();
  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  const interrupt = catchInterrupt(() => {
    progress.log('interrupted: reporting what was found (once more to kill)');
  });
  try {
    let done = 0;
    let cases = 0;
    const take = (found: Hunt): void => {
      hunts.set(found.mutant, [...(hunts.get(found.mutant) ?? []), found]);
      done++;
      cases += found.cases;
      progress.update({ done: done / jobs.length, cases, doing: `mutant ${done} of ${jobs.length}` });
    };
    await hunt({ suites, limit }, jobs, take, interrupt.signal);
  } finally {
    progress.end();
    interrupt.release();
  }

  const mutants = within.map((mutant) => mutantResult(mutant, hunts.get(mutant.id) ?? []));
  const needed = mutants
    .filter(({ verdict }) => verdict !== 'not-judged')
    .flatMap((mutant) => mutant.hunts.flatMap(({ cases }) => (cases === undefined ? [] : [cases])));
  const middle = median(needed);
  const result: MutantsResult = {
    schema: 'rdma-conform/mutants/1',
    spec: rules.digest,
    seeds,
    limit,
    everyRule,
    aimed,
    ...(suites === undefined ? {} : { suite: suites.join(', ') }),
    durationMs: Math.round(performance.now() - begun),
    threads: threadsFor(jobs.length),
    counts: mutantCounts(mutants),
    ...(middle === undefined ? {} : { median: middle, most: Math.max(...needed) }),
    mutants,
    outOfReach: selected.filter((mutant) => !within.includes(mutant)).map(({ id }) => id),
    interrupted: interrupt.signal.aborted,
  };
  streams.out(
    format === 'json'
      ? `${JSON.stringify(result, undefined, 2)}\n`
      : mutantsText(result, { version: packageVersion(), width: streams.width, colour: streams.colour }),
  );
  return mutantsExit(result);
};
