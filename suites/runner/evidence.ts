import type { Judgement, Rule, Violation } from '../../oracle/index.ts';
import type { Failure, FindingName, Influence } from '../../report/results.ts';
import { encodeToken, type CaseStore, type ReplayCase } from '../case/index.ts';
import type { DriveResult } from '../driver/index.ts';
import { ladder } from '../ladder.ts';
import { divergenceOf, expectedBy, type KnownDivergence } from '../known.ts';
import type { Scenario } from '../scenario.ts';
import type { CaseRunner } from './devices/case-runner.ts';
import { demandOf } from './rule-facts.ts';
import { influencesOf, type Effect, type InfluenceBounds } from './influences.ts';
import type { ShrinkBounds, Shrunk } from './shrinking/bounds.ts';
import { guessesOf } from './shrinking/guesses.ts';
import { shrink } from './shrinking/shrink.ts';
import { findingKey, signatureOf } from './signature.ts';
import { isDead, sizeOf, type Found } from './tally.ts';

export interface EvidenceOptions {
  executor: CaseRunner;
  adapter: string;
  confirmations: number;
  /** the known divergence that it is */
  known: KnownDivergence | undefined;
  cases: CaseStore;
}

/** `cut`: the run ended before it could be run again. */
type Outcome = { failure: Failure } | { doubt: string } | { cut: true };

interface Seen {
  violation: Violation;
  drive: DriveResult;
  /** of the whole exchange, in its order */
  violations: readonly Violation[];
}

type Finding = Pick<Found, 'rule' | 'signature'>;

function find({ rule, signature }: Finding, judgement: Judgement, drive: DriveResult): Violation | undefined {
  return judgement.violations.find((v) => v.rule === rule && signatureOf(v, drive.events) === signature);
}

/** Stands for a run that was not made, since somebody had asked for the end. */
const cut = Symbol('cut');

/** The violation that running a scenario shows, if it is that of the finding; text: why it could not be run. */
async function again(
  executor: CaseRunner,
  finding: Finding,
  scenario: Scenario,
): Promise<Seen | typeof cut | string | undefined> {
  const outcome = await executor.run(scenario);
  if (outcome.kind === 'error') return outcome.interrupted === true ? cut : outcome.message;
  if (outcome.kind !== 'judged') return undefined;
  const { judgement, drive } = outcome;
  const violation = find(finding, judgement, drive);
  return violation === undefined ? undefined : { violation, drive, violations: judgement.violations };
}

/** A simpler scenario that shows the finding as well. */
export async function simplest(found: Found, executor: CaseRunner, bounds: ShrinkBounds): Promise<Shrunk> {
  return shrink(
    found.generated,
    executor.profile,
    async (s) => typeof (await again(executor, found, s)) === 'object',
    bounds,
    guessesOf(found.generated.scenario, found.upToFault),
  );
}

/** What a case must have less than another one, as `sizeOf`, for a reader to notice. */
const aFault = 500;

/** The smallest of what the cases of several properties that show a finding come down to, and the finding as that property saw it. */
export async function smallest(
  found: Found,
  executor: CaseRunner,
  bounds: ShrinkBounds,
): Promise<{ found: Found; shrunk: Shrunk }> {
  let best = { found, shrunk: await simplest(found, executor, bounds) };
  for (const [i, { property, scenario }] of found.others.entries()) {
    if (isPlain(best.shrunk.scenario)) break;
    const own = { property: found.property, scenario: found.generated.scenario };
    const generated = { scenario, simpler: () => [][Symbol.iterator]() };
    const others = [own, ...found.others.filter((_, at) => at !== i)];
    const { upToFault: _, ...rest } = found;
    const other = { ...rest, property, generated, others };
    const shrunk = await simplest(other, executor, bounds);
    if (sizeOf(shrunk.scenario) + aFault <= sizeOf(best.shrunk.scenario)) best = { found: other, shrunk };
  }
  return best;
}

/** One packet or call, by nothing but two ends and a wire. */
function isPlain({ steps, faults, path, beside }: Scenario): boolean {
  return steps.length <= 1 && faults.length === 0 && path === undefined && beside === undefined;
}

/** Runs what was shrunk of a violation again several times, and puts together what shows it. */
export async function evidenceFor(
  found: Found,
  rule: Rule,
  { scenario: shrunk, whole }: Shrunk,
  options: EvidenceOptions,
): Promise<Outcome> {
  const { executor, confirmations } = options;
  // What was shrunk on one lucky run must not hide a fault that the unshrunk scenario shows every time.
  const candidates = [
    ...new Set([
      ...(!whole && shrunk === found.generated.scenario && found.upToFault ? [found.upToFault] : []),
      shrunk,
      found.generated.scenario,
      ...found.others.map((other) => other.scenario),
    ]),
  ];
  let best = { times: 0, of: confirmations, scenario: shrunk, seen: undefined as Seen | undefined };
  let trouble: string | undefined;
  let made = 0;
  for (const scenario of candidates) {
    const runs = await Promise.all(
      Array.from({ length: confirmations }, () => again(executor, found, scenario)),
    );
    const hits = runs.filter((run) => typeof run === 'object');
    const of = runs.filter((run) => run !== cut).length;
    if (of === 0) break;
    trouble ??= runs.find((run) => typeof run === 'string');
    if (hits.length > best.times) best = { times: hits.length, of, scenario, seen: hits[0] };
    if (best.times * 2 > best.of) break;
    made += of;
  }
  const { times, of, scenario, seen } = best;
  if (seen === undefined && made === 0 && confirmations > 0) return { cut: true };
  if (seen === undefined || times * 2 < of) {
    const why = trouble === undefined ? '' : `; a run of it ended in an error: ${trouble}`;
    return { doubt: `seen, but reproduced only ${times} times of ${of}${why}` };
  }
  const minimal = whole && scenario === shrunk;
  const failure = failureOf(found, rule, scenario, seen, { times, of }, minimal, options);
  return { failure: minimal ? failure : { ...failure, unshrunk: true } };
}

/** What becomes of the violation when parts of the scenario are made others; a run in which nothing shows is no evidence. */
export async function whatMatters(
  finding: Finding & Pick<Found, 'deadly'>,
  scenario: Scenario,
  executor: CaseRunner,
  vary: InfluenceBounds,
): Promise<Influence[]> {
  const breaks = async (changed: Scenario): Promise<Effect> => {
    const outcome = await executor.run(changed);
    if (outcome.kind === 'error') return undefined;
    if (outcome.kind === 'clean') return false;
    const shows = find(finding, outcome.judgement, outcome.drive) !== undefined;
    const dies = isDead(outcome.drive);
    return dies && !(shows && finding.deadly === true) ? 'died' : shows;
  };
  return influencesOf(scenario, executor.profile, breaks, vary);
}

/**
 * Other findings that go with one, each once: by the same event, and on the same QP where nothing is in the exchange any more that
 * the finding does not need.
 */
function alsoIn(
  { violation, violations, drive }: Seen,
  own: string,
  whole: boolean,
): (FindingName & { before: boolean })[] {
  const at = violations.indexOf(violation);
  const named = violations.flatMap((v, i) => {
    if (v.event !== violation.event && !(whole && v.qp === violation.qp)) return [];
    return [{ rule: v.rule, signature: signatureOf(v, drive.events), before: i < at }];
  });
  const first = new Map(named.toReversed().map((finding) => [findingKey(finding), finding]));
  return [...first].toReversed().flatMap(([key, finding]) => (key === own ? [] : [finding]));
}

function failureOf(
  found: Found,
  rule: Rule,
  scenario: Scenario,
  seen: Seen,
  reproduced: Failure['reproduced'],
  minimal: boolean,
  options: EvidenceOptions,
): Failure {
  const { violation, drive } = seen;
  const { expected, observed } = violation;
  const { signature } = found;
  const also = alsoIn(seen, findingKey(found), minimal);
  const replay: ReplayCase = {
    rule: rule.id,
    signature,
    property: found.property,
    adapter: options.adapter,
    scenario,
  };
  const files = options.cases.confirmed(replay, { expected, observed }, drive, {
    rule: rule.id,
    level: rule.level,
    says: rule.says,
    expected,
    observed,
    adapter: options.adapter,
    event: violation.event,
  });
  return {
    ...demandOf(rule),
    signature,
    property: found.property,
    expected,
    observed,
    reproduced,
    ...divergenceOf(options.known),
    ...(also.length > 0 && { also }),
    token: encodeToken(replay),
    scenario,
    ladder: ladder(drive.events, violation, drive),
    ...files,
  };
}

/** A finding as its case showed it, neither shrunk nor seen again: the run ended before. */
export function asSeen(
  found: Found,
  rule: Rule,
  { adapter, known, caseFile }: { adapter: string; known: readonly KnownDivergence[]; caseFile?: string },
): Failure {
  const { signature, property, violation, generated } = found;
  const { expected, observed } = violation;
  const { scenario } = generated;
  return {
    ...demandOf(rule),
    signature,
    property,
    expected,
    observed,
    reproduced: { times: 1, of: 1 },
    unshrunk: true,
    unconfirmed: true,
    ...divergenceOf(expectedBy(known, found)),
    token: encodeToken({ rule: rule.id, signature, property, adapter, scenario }),
    scenario,
    ladder: found.ladder?.() ?? [],
    ...(caseFile !== undefined && { caseFile }),
  };
}
