import { didYouMean } from '../oracle/compile/suggest.ts';
import { loadRules } from '../oracle/index.ts';
import type { RunResult } from '../report/results.ts';
import { CaseStore } from './case/index.ts';
import type { SuiteProperty } from './property.ts';
import { congestion } from './congestion/index.ts';
import { givenProperties } from './given-properties.ts';
import { furtherCorners } from './corners/index.ts';
import { derived } from './derived/index.ts';
import { device } from './device/index.ts';
import { destroyedBeside, destroyedOnSrq } from './device/destroyed.ts';
import { upsetsAfter } from './device/upsets-after.ts';
import { effects } from './end-to-end/index.ts';
import { ooo } from './ooo/index.ts';
import { lostAgain } from './ooo/lost-again.ts';
import { transitions } from './ooo/transitions.ts';
import { wrongNumbers } from './ooo/unfit.ts';
import { pathMigrationAgain, pathMigrationEarly } from './path-migration/calls.ts';
import { migrationSecondLife } from './path-migration/second-life.ts';
import { readRetryFar } from './rc-requester/implied.ts';
import { noReads } from './rc-requester/windows.ts';
import { padWithoutPlace } from './rc-responder/length.ts';
import { readDepthChanged, requesterWays } from './attributes/requester-ways.ts';
import { parameters } from './attributes/index.ts';
import { rcRequester } from './rc-requester/index.ts';
import { rcResponder } from './rc-responder/index.ts';
import { ucTransitions } from './unreliable/uc-transitions.ts';
import { uc } from './unreliable/uc.ts';
import { ud } from './unreliable/ud.ts';
import { drainedAnew } from './verbs/drained-anew.ts';
import { carries, carryingBuffers } from './verbs/grids/carries.ts';
import { invalidatedRegions } from './verbs/grids/invalidated-regions.ts';
import { software, verbs } from './verbs/index.ts';
import { Campaign } from './runner/campaign.ts';
import type { CaseRunner } from './runner/devices/case-runner.ts';
import { breaksOfRun, Executor } from './runner/executor.ts';
import { checkRunOptions, type RunOptions } from './runner/options.ts';
import { aimedElsewhere, selectProperties, selectRules } from './runner/select.ts';

/** Properties of one QP each. */
const ofOneQp: readonly SuiteProperty[] = [
  ...rcResponder,
  ...rcRequester,
  ...parameters,
  ...effects,
  ...uc,
  ...ud,
  ...verbs,
  ...ooo,
  ...congestion,
];

/** Those that only say something of a QP that has the device to itself, or that try what no document decides. */
const alone: readonly SuiteProperty[] = [
  ...software,
  pathMigrationEarly,
  noReads,
  padWithoutPlace,
  wrongNumbers,
  pathMigrationAgain,
  readRetryFar,
];

/** All properties of the package, in the order in which they are tried. */
export const properties: readonly SuiteProperty[] = [
  ...ofOneQp,
  ...device(ofOneQp),
  ...alone,
  ...derived,
  upsetsAfter,
  requesterWays,
  readDepthChanged,
  destroyedBeside([...rcResponder, ...rcRequester]),
  destroyedOnSrq,
  lostAgain,
  migrationSecondLife,
  drainedAnew,
  carries,
  carryingBuffers,
  invalidatedRegions,
  ucTransitions,
  transitions,
  ...furtherCorners,
];

/**
 * Runs the suite on an adapter and gives everything that the reports tell. On a virtual clock the outcome is a function of
 * the options alone, but for `durationMs`. Throws AdapterUnavailable where the device cannot be had, CaseError for a
 * damaged case file or a property whose scenarios are none, RangeError for an unknown rule, suite or property, TypeError for an
 * unknown option, or one of another kind.
 */
export async function runConformance(options: RunOptions): Promise<RunResult> {
  checkRunOptions(options);
  const { adapter, caseDirectory, log, signal } = options;
  const rules = options.rules ?? loadRules();
  const selected = selectRules(rules.rules, options);
  const given = givenProperties(options.properties ?? properties, properties, rules);
  const chosen = selectProperties(given, options);
  if (chosen.length === 0) {
    const { property, suite } = options;
    throw new RangeError(nothingChosen(given, property, suite));
  }
  const cases = new CaseStore(caseDirectory, log).read();
  const open = { ...(log !== undefined && { log }), ...(signal !== undefined && { signal }) };
  const executor = await (options.runner?.(open) ?? Executor.open(adapter, rules, open, breaksOfRun));
  const elsewhere =
    options.rule === undefined ? aimedElsewhere(selected, properties, chosen) : new Set<string>();
  const campaign = new Campaign(options, executor, rules, { selected, chosen, elsewhere });
  let trouble: string | undefined;
  try {
    await campaign.replay(cases.filter((found) => found.adapter === adapter.name));
    await campaign.run();
    await campaign.gather();
  } finally {
    campaign.close();
    trouble = await closing(executor);
  }
  const result = campaign.result();
  // what was found is not lost by a device that does not even end well
  return trouble === undefined ? result : { ...result, errors: [...result.errors, trouble] };
}

/** Why no property is to be tried. */
function nothingChosen(
  given: readonly SuiteProperty[],
  property: RunOptions['property'],
  suite: RunOptions['suite'],
): string {
  const suites = [...new Set(given.map((one) => one.suite))];
  const ids = given.map(({ id }) => id);
  const [unknown] = [suite ?? []].flat().filter((name) => !suites.includes(name));
  if (unknown !== undefined) return `no suite named ${unknown}${didYouMean(unknown, suites)}`;
  if (property === undefined) return 'no property to try';
  if (!ids.includes(property)) return `no property named ${property}${didYouMean(property, ids)}`;
  return `no property named ${property} in suite ${[suite ?? []].flat().join(', ')}`;
}

/** Closes the device; what was wrong with that, if anything. */
async function closing(executor: CaseRunner): Promise<string | undefined> {
  try {
    await executor.close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
