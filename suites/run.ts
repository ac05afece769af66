import { loadRules, type Rule } from '../oracle/index.ts';
import type { Failure, RunResult } from '../report/results.ts';
import { readCases } from './case/index.ts';
import { unexpectedPasses } from './known.ts';
import type { SuiteProperty } from './property.ts';
import { rcResponder } from './rc-responder/index.ts';
import { evidenceFor } from './runner/evidence.ts';
import { Executor, type CaseOutcome } from './runner/executor.ts';
import type { Generated } from './runner/generate.ts';
import type { RunOptions, RunProgress } from './runner/options.ts';
import { inOrder, schedule } from './runner/schedule.ts';
import { Tally } from './runner/tally.ts';
import { countVerdicts, propertyResult, ruleResult, type Evidence } from './runner/verdicts.ts';

export const allProperties: readonly SuiteProperty[] = rcResponder;

const defaults = { virtual: { runs: 3000, confirmations: 10 }, real: { runs: 600, confirmations: 5 } };
// Errors of a property after which it is left alone: more of the same would tell nothing new.
const mostErrors = 20;

/**
 * Runs the suite on an adapter and gives everything that the reports tell. On a virtual clock the outcome is a function of
 * the options alone, but for `durationMs`. Throws AdapterUnavailable where the device cannot be had, CaseError for a
 * damaged case file, RangeError for an unknown rule, suite or property.
 */
export async function runConformance(options: RunOptions): Promise<RunResult> {
  const rules = options.rules ?? loadRules();
  const selected = selectRules(rules.rules, options);
  const counted = new Set(selected.map((rule) => rule.id));
  const properties = selectProperties(options);
  const cases = options.caseDirectory === undefined ? [] : readCases(options.caseDirectory);
  const begun = performance.now();
  const { adapter, log, signal } = options;
  const executor = await Executor.open(adapter, rules, {
    ...(log !== undefined && { log }),
    ...(signal !== undefined && { signal }),
  });
  const tally = new Tally();
  const known = options.known ?? [];
  const isKnown = (rule: string): boolean => known.some((entry) => entry.rule === rule);
  const errors: string[] = [];
  const confirmed = new Set<string>();
  const doubtful = new Map<string, string>();
  const failures: Failure[] = [];
  const kind = executor.profile.clock === 'virtual' ? 'virtual' : 'real';
  const runs = options.runs ?? defaults[kind].runs;
  const shard = options.shard ?? { i: 1, n: 1 };
  const supported = properties.filter((p) =>
    (p.requires ?? []).every((word) => executor.profile.capabilities.includes(word)),
  );
  const elapsed = (): number => performance.now() - begun;
  const timeIsUp = (): boolean => options.timeLimit !== undefined && elapsed() > options.timeLimit * 1000;
  const aborted = (): boolean => signal?.aborted === true;
  const progress = (phase: RunProgress['phase']): void =>
    options.onProgress?.({
      phase,
      cases: tally.cases,
      of: Math.ceil(runs / shard.n),
      packets: tally.packets,
      rulesExercised: selected.filter((rule) => tally.exercised.has(rule.id)).length,
      rulesTotal: selected.length,
      failures: tally.found.size,
      elapsed: elapsed(),
    });

  let stopped = false;
  const take = (property: { id: string }, generated: Generated, outcome: CaseOutcome): void => {
    if (outcome.kind === 'error') {
      tally.error(property.id, outcome.message);
      if (outcome.fatal) stopped = true;
      return;
    }
    const violated = tally.add(property, generated, outcome, (rule) => counted.has(rule));
    if (options.bail === true && violated.some((rule) => !isKnown(rule))) stopped = true;
  };
  const dead = (property: SuiteProperty): boolean =>
    (tally.errorsByProperty.get(property.id)?.length ?? 0) >= mostErrors;
  try {
    for (const { found } of cases) {
      if (found.adapter !== adapter.name || aborted() || stopped) continue;
      const generated: Generated = { scenario: found.scenario, simpler: () => [][Symbol.iterator]() };
      take({ id: found.property }, generated, await executor.run(found.scenario));
    }
    const tasks =
      supported.length === 0 ? [] : schedule(supported, executor.profile, options.seed ?? 0, runs, shard);
    await inOrder(
      tasks[Symbol.iterator](),
      executor.concurrency,
      async (task) =>
        stopped || aborted() || timeIsUp() || dead(task.property)
          ? undefined
          : executor.run(task.generated.scenario),
      (task, outcome) => {
        if (outcome === undefined) return !(stopped || aborted() || timeIsUp());
        tally.cases++;
        const { id } = task.property;
        tally.casesByProperty.set(id, (tally.casesByProperty.get(id) ?? 0) + 1);
        take(task.property, task.generated, outcome);
        progress('running');
        return !stopped;
      },
    );
    progress('shrinking');
    const shrinkUntil = performance.now() + 30_000;
    const work = selected.flatMap((rule) => {
      const found = tally.found.get(rule.id);
      return found === undefined ? [] : [{ rule, found }];
    });
    await inOrder(
      work[Symbol.iterator](),
      kind === 'virtual' ? 1 : 16,
      async ({ rule, found }) =>
        evidenceFor(found, rule, {
          executor,
          adapter: adapter.name,
          confirmations: options.confirmations ?? defaults[kind].confirmations,
          known: isKnown(rule.id),
          caseDirectory: options.caseDirectory,
          bounds: {
            // A known divergence is made a little smaller only: it has been read before.
            tries: isKnown(rule.id) ? 16 : kind === 'virtual' ? 2000 : 120,
            parallel: kind === 'virtual' ? 1 : 8,
            stop: () => aborted() || (kind === 'real' && performance.now() > shrinkUntil),
          },
        }),
      ({ rule }, outcome) => {
        if ('failure' in outcome) {
          confirmed.add(rule.id);
          failures.push(outcome.failure);
        } else if ('doubt' in outcome) doubtful.set(rule.id, outcome.doubt);
        else errors.push(outcome.error);
        return true;
      },
    );
  } finally {
    await executor.close();
  }
  for (const [property, messages] of tally.errorsByProperty) {
    for (const message of messages.slice(0, 3)) errors.push(`${property}: ${message}`);
  }
  const { profile } = executor;
  const evidence: Evidence = {
    tally,
    capabilities: profile.capabilities,
    known,
    confirmed,
    doubtful,
    interrupted: aborted(),
  };
  const ruleResults = selected.map((rule) => ruleResult(rule, evidence));
  const byId = new Map(rules.rules.map((rule) => [rule.id, rule]));
  return {
    schema: 'rdma-conform/results/1',
    adapter: { name: adapter.name, profile },
    seed: options.seed ?? 0,
    spec: rules.digest,
    durationMs: Math.round(elapsed()),
    counts: countVerdicts(ruleResults),
    cases: tally.cases,
    packets: tally.packets,
    rules: ruleResults,
    properties: properties.map((property) => propertyResult(property, byId, evidence)),
    failures,
    unexpectedPasses: unexpectedPasses(
      known.filter((entry) => counted.has(entry.rule)),
      tally.exercised,
      new Set(tally.found.keys()),
    ),
    notJudged: [...tally.notJudged, ...tally.inconclusive].map(([what, count]) => ({ what, count })),
    interrupted: aborted(),
    errors,
  };
}

function selectRules(rules: readonly Rule[], { rule, level }: RunOptions): Rule[] {
  if (rule !== undefined && !rules.some((r) => r.id === rule)) throw new RangeError(`unknown rule ${rule}`);
  return rules.filter(
    (r) => (rule === undefined || r.id === rule) && (level === undefined || r.level === level),
  );
}

function selectProperties({
  properties = allProperties,
  suite,
  property,
  rule,
}: RunOptions): SuiteProperty[] {
  const chosen = properties.filter(
    (p) => (suite === undefined || p.suite === suite) && (property === undefined || p.id === property),
  );
  if (chosen.length === 0)
    throw new RangeError(`no property of suite ${suite ?? 'any'} named ${property ?? 'anything'}`);
  const aimed = rule === undefined ? [] : chosen.filter((p) => p.aims?.includes(rule) === true);
  return aimed.length > 0 ? aimed : chosen;
}
