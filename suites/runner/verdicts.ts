import type { Capability } from '../../adapters/adapter.ts';
import { behindDeviceFatal } from '../../oracle/device/fatal-events.ts';
import type { Rule } from '../../oracle/index.ts';
import { choicesOf } from './choices.ts';
import type { PropertyResult, RuleResult, RunResult, Verdict } from '../../report/results.ts';
import { expectedBy, type KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import { ruleFacts } from './rule-facts.ts';
import { findingKey } from './signature.ts';
import type { Tally } from './tally.ts';

export interface Evidence {
  tally: Tally;
  capabilities: readonly Capability[];
  known: readonly KnownDivergence[];
  /** findings that were seen again, by `findingKey` */
  again: ReadonlySet<string>;
  /** rules of which a finding was seen again; `doubtful`: those of which none was, and why */
  confirmed: ReadonlySet<string>;
  doubtful: ReadonlyMap<string, string>;
  interrupted: boolean;
  /** the time limit was reached */
  late?: boolean;
  /** why a property cannot be tried */
  hindrance: (property: SuiteProperty) => string | undefined;
}

/** Whether a rule counts: one that was not aimed at does where a case exercised or broke it after all. */
export function isCounted(
  { id }: Rule,
  { exercised, violations }: Tally,
  elsewhere: ReadonlySet<string>,
): boolean {
  return !elsewhere.has(id) || exercised.has(id) || violations.has(id);
}

/** The line of a rule in the results. */
export function ruleResult(rule: Rule, evidence: Evidence): RuleResult {
  const { tally, known } = evidence;
  const { verdict, why } = ruleVerdict(rule, evidence);
  const found = [...tally.found.values()].find((finding) => finding.rule === rule.id);
  const entry = found && expectedBy(known, found);
  const expected = isKnown(rule.id, evidence)
    ? (entry ?? known.find((one) => one.rule === rule.id))
    : undefined;
  return {
    ...ruleFacts(rule),
    verdict,
    exercised: tally.exercised.get(rule.id) ?? 0,
    violations: tally.violations.get(rule.id) ?? 0,
    ...choicesOf(tally.choices.get(rule.id)),
    ...(expected !== undefined && {
      known: { reason: expected.reason, ...(expected.link !== undefined && { link: expected.link }) },
    }),
    ...(why !== undefined && { why }),
  };
}

function ruleVerdict(rule: Rule, evidence: Evidence): { verdict: Verdict; why?: string } {
  const { tally, capabilities, confirmed, doubtful, interrupted, late } = evidence;
  const missing = rule.requires.filter((word) => !capabilities.some((have) => have === word));
  if (missing.length > 0) return { verdict: 'unsupported', why: `the device has no ${missing.join(', ')}` };
  const broken = rule.level === 'must' ? 'fail' : rule.level === 'should' ? 'deviation' : 'observed';
  if (confirmed.has(rule.id)) return { verdict: broken };
  const doubt = doubtful.get(rule.id);
  // that what is known to happen did not happen again is no news
  if (doubt !== undefined)
    return { verdict: isKnown(rule.id, evidence) ? broken : 'inconclusive', why: doubt };
  if ((tally.exercised.get(rule.id) ?? 0) === 0) {
    return {
      verdict: 'vacuous',
      why: interrupted
        ? 'the run was interrupted before its case arose'
        : late === true
          ? 'the time limit was reached before its case arose'
          : 'its case never arose',
    };
  }
  return { verdict: rule.level === 'may' ? 'observed' : 'pass' };
}

/** Whether every finding of a rule is expected; what was not seen again is no news where something was. */
function isKnown(rule: string, { known, tally, again }: Evidence): boolean {
  const found = [...tally.found.values()].filter((finding) => finding.rule === rule);
  const sure = found.filter((finding) => again.has(findingKey(finding)));
  const told = sure.length > 0 ? sure : found;
  if (told.length > 0) return told.every((finding) => expectedBy(known, finding) !== undefined);
  return known.some((entry) => entry.rule === rule);
}

/** The line of a property in the results. */
export function propertyResult(
  property: SuiteProperty,
  rules: ReadonlyMap<string, Rule>,
  evidence: Evidence,
): PropertyResult {
  const { tally, confirmed } = evidence;
  const cases = tally.casesByProperty.get(property.id) ?? 0;
  const [error] = tally.errorsByProperty.get(property.id) ?? [];
  const violated = [...(tally.rulesByProperty.get(property.id) ?? [])];
  const stands = (id: string): boolean => confirmed.has(id) || isKnown(id, evidence);
  const has = (level: string): boolean => violated.some((id) => stands(id) && rules.get(id)?.level === level);
  const broken = violated.filter((id) => stands(id) && rules.get(id)?.level !== 'may');
  const why = evidence.hindrance(property);
  const verdict: Verdict =
    why !== undefined
      ? 'unsupported'
      : error !== undefined
        ? 'error'
        : has('must')
          ? 'fail'
          : has('should')
            ? 'deviation'
            : violated.some((id) => !stands(id))
              ? 'inconclusive'
              : cases === 0
                ? 'vacuous'
                : 'pass';
  const { id, suite, says } = property;
  return {
    id,
    suite,
    says,
    verdict,
    cases,
    ...(error !== undefined && { error }),
    ...(why !== undefined && { why }),
    ...(broken.length > 0 && broken.every((id) => isKnown(id, evidence)) && { known: true as const }),
  };
}

/** Rules by verdict. */
export function countVerdicts(rules: readonly RuleResult[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = {
    pass: 0,
    deviation: 0,
    observed: 0,
    fail: 0,
    inconclusive: 0,
    vacuous: 0,
    unsupported: 0,
    error: 0,
  };
  for (const rule of rules) counts[rule.verdict]++;
  return counts;
}

/** By rule, where findings stand by their key: one that was seen again is enough. */
export function standingOf(
  { found }: Pick<Tally, 'found'>,
  confirmed: ReadonlySet<string>,
  doubts: ReadonlyMap<string, string>,
): Pick<Evidence, 'again' | 'confirmed' | 'doubtful'> {
  const all = [...found.values()];
  const rules = new Set(all.filter((finding) => confirmed.has(findingKey(finding))).map(({ rule }) => rule));
  const doubtful = all.flatMap((finding): [string, string][] => {
    const why = doubts.get(findingKey(finding));
    return why === undefined || rules.has(finding.rule) ? [] : [[finding.rule, why]];
  });
  return { again: confirmed, confirmed: rules, doubtful: new Map(doubtful.toReversed()) };
}

/** In how many cases the device said that it has failed for good; absent: in none. */
export function endedByDevice({ notJudged }: Pick<Tally, 'notJudged'>): Pick<RunResult, 'endedByDevice'> {
  const cases = notJudged.get(behindDeviceFatal) ?? 0;
  return cases === 0 ? {} : { endedByDevice: cases };
}

/** What could not be judged, with findings that were not seen again of rules that have others. */
export function notJudgedOf(
  tally: Tally,
  confirmed: ReadonlySet<string>,
  doubts: ReadonlyMap<string, string>,
): { what: string; count: number }[] {
  const { confirmed: rules } = standingOf(tally, confirmed, doubts);
  const aside = [...tally.found].flatMap(([key, { rule }]) => {
    const why = doubts.get(key);
    return why === undefined || !rules.has(rule) ? [] : [{ what: `${key}: ${why}`, count: 1 }];
  });
  return [...[...tally.notJudged, ...tally.inconclusive].map(([what, count]) => ({ what, count })), ...aside];
}
