import type { Rule, Violation } from '../../oracle/index.ts';
import type { Failure, Influence } from '../../report/results.ts';
import { encodeToken, type CaseStore, type ReplayCase } from '../case/index.ts';
import type { DriveResult } from '../driver/index.ts';
import { ladder } from '../ladder.ts';
import type { Scenario } from '../scenario.ts';
import type { Executor } from './executor.ts';
import { influencesOf, type InfluenceBounds } from './influences.ts';
import type { ShrinkBounds } from './shrink.ts';
import { shrink } from './shrink.ts';
import type { Found } from './tally.ts';

export interface EvidenceOptions {
  executor: Executor;
  adapter: string;
  confirmations: number;
  known: boolean;
  cases: CaseStore;
  /** bounds of the search for what matters; absent: it is not looked for */
  vary?: InfluenceBounds;
}

type Outcome = { failure: Failure } | { doubt: string };

interface Seen {
  violation: Violation;
  drive: DriveResult;
}

/** The violation of a rule that running a scenario shows, if it does. */
async function violates(executor: Executor, rule: string, scenario: Scenario): Promise<Seen | undefined> {
  const outcome = await executor.run(scenario);
  if (outcome.kind === 'error') return undefined;
  const violation = outcome.judgement.violations.find((v) => v.rule === rule);
  return violation === undefined ? undefined : { violation, drive: outcome.drive };
}

/** A simpler scenario that violates the rule as well. */
export async function simplest(found: Found, executor: Executor, bounds: ShrinkBounds): Promise<Scenario> {
  const { generated, rule } = found;
  return shrink(
    generated,
    executor.profile,
    async (s) => (await violates(executor, rule, s)) !== undefined,
    bounds,
  );
}

/** Runs what was shrunk of a violation again several times, and puts together what shows it. */
export async function evidenceFor(
  found: Found,
  rule: Rule,
  shrunk: Scenario,
  options: EvidenceOptions,
): Promise<Outcome> {
  const { executor, confirmations } = options;
  // What was shrunk on one lucky run must not hide a fault that the unshrunk scenario shows every time.
  const candidates = shrunk === found.generated.scenario ? [shrunk] : [shrunk, found.generated.scenario];
  let best = { times: 0, scenario: shrunk, seen: undefined as Seen | undefined };
  for (const scenario of candidates) {
    const runs = await Promise.all(
      Array.from({ length: confirmations }, () => violates(executor, found.rule, scenario)),
    );
    const hits = runs.filter((run) => run !== undefined);
    if (hits.length > best.times) best = { times: hits.length, scenario, seen: hits[0] };
    if (best.times * 2 > confirmations) break;
  }
  const { times, scenario, seen } = best;
  if (seen === undefined || times * 2 < confirmations) {
    return { doubt: `seen, but reproduced only ${times} times of ${confirmations}` };
  }
  const failure = failureOf(found, rule, scenario, seen, times, options);
  const influences = await whatMatters(found.rule, scenario, options);
  return { failure: influences.length === 0 ? failure : { ...failure, influences } };
}

/** What becomes of the violation when parts of the scenario are made others; a run that shows nothing at all tells nothing. */
async function whatMatters(
  rule: string,
  scenario: Scenario,
  { executor, vary }: EvidenceOptions,
): Promise<Influence[]> {
  if (vary === undefined) return [];
  const breaks = async (changed: Scenario): Promise<boolean | undefined> => {
    const outcome = await executor.run(changed);
    if (outcome.kind === 'error') return undefined;
    return outcome.judgement.violations.some((violation) => violation.rule === rule);
  };
  return influencesOf(scenario, executor.profile, breaks, vary);
}

function failureOf(
  found: Found,
  rule: Rule,
  scenario: Scenario,
  { violation, drive }: Seen,
  times: number,
  options: EvidenceOptions,
): Failure {
  const { expected, observed } = violation;
  const replay: ReplayCase = { rule: rule.id, property: found.property, adapter: options.adapter, scenario };
  const files = options.cases.confirmed(replay, { expected, observed }, drive.events, {
    rule: rule.id,
    level: rule.level,
    says: rule.says,
    expected,
    observed,
    adapter: options.adapter,
    event: violation.event,
  });
  return {
    rule: rule.id,
    property: found.property,
    level: rule.level,
    says: rule.says,
    statements: [...rule.covers],
    expected,
    observed,
    reproduced: { times, of: options.confirmations },
    known: options.known,
    token: encodeToken(replay),
    scenario,
    ladder: ladder(drive.events, violation),
    ...files,
  };
}
