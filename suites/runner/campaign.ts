import { setMaxListeners } from 'node:events';
import type { Rule, RuleSet } from '../../oracle/index.ts';
import { missingParts, type Failure, type RunResult } from '../../report/results.ts';
import { CaseStore, type ReplayCase } from '../case/index.ts';
import { hindrance } from './hindrance.ts';
import { unexpectedPasses, type KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import { evidenceFor, simplest } from './evidence.ts';
import type { CaseOutcome, Executor } from './executor.ts';
import type { Generated } from './generate.ts';
import type { RunOptions, RunProgress } from './options.ts';
import { unlessHung } from './patience.ts';
import { inOrder, schedule } from './schedule.ts';
import { Tally, type Found } from './tally.ts';
import { countVerdicts, propertyResult, ruleResult, type Evidence } from './verdicts.ts';

const defaults = {
  virtual: { runs: 3000, confirmations: 10, tries: 1000, parallel: 1, rulesAtATime: 1 },
  real: { runs: 1500, confirmations: 5, tries: 120, parallel: 8, rulesAtATime: 16 },
};
// A known divergence has been read before: it is made a little smaller where that costs no time, and shown again.
const ifKnown = {
  virtual: { confirmations: 10, tries: 16 },
  real: { confirmations: 2, tries: 0 },
};
// Scenarios that are tried to find out what matters in a failure.
const varied = {
  virtual: { tries: 250, parallel: 1 },
  real: { tries: 60, parallel: 8 },
};
// Milliseconds that shrinking may take on a real device, all rules together.
const shrinkTime = 30_000;
// Different errors of a property after which it is left alone: more of them would tell nothing new.
const mostErrors = 5;

/** One run of properties on a device, from the first case to the result. */
export class Campaign {
  private readonly options: RunOptions;
  private readonly executor: Executor;
  private readonly ruleSet: RuleSet;
  private readonly selected: readonly Rule[];
  private readonly counted: ReadonlySet<string>;
  private readonly properties: readonly SuiteProperty[];
  private readonly tally = new Tally();
  private readonly cases: CaseStore;
  private readonly failures: Failure[] = [];
  private readonly confirmed = new Set<string>();
  private readonly doubtful = new Map<string, string>();
  private readonly begun = performance.now();
  private readonly known: readonly KnownDivergence[];
  private readonly runs: number;
  private readonly kind: 'virtual' | 'real';
  private stopped = false;
  private hung = false;
  private late = false;
  private lastProgress = 0;

  constructor(
    options: RunOptions,
    executor: Executor,
    ruleSet: RuleSet,
    selected: readonly Rule[],
    properties: readonly SuiteProperty[],
  ) {
    this.options = options;
    this.executor = executor;
    this.ruleSet = ruleSet;
    this.selected = selected;
    this.counted = new Set(selected.map((rule) => rule.id));
    this.properties = properties;
    this.cases = new CaseStore(options.caseDirectory, options.log);
    // each scenario under way listens, dozens of them on a real device
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    const { known = [] } = options;
    this.known = typeof known === 'function' ? known(executor.profile) : known;
    this.kind = executor.profile.clock === 'virtual' ? 'virtual' : 'real';
    this.runs = options.runs ?? defaults[this.kind].runs;
    options.record?.begin({
      adapter: options.adapter.name,
      profile: executor.profile,
      seed: options.seed ?? 1,
      spec: ruleSet.digest,
      rules: [...this.counted],
      properties: properties.map((property) => {
        const why = hindrance(property, executor.profile);
        return { id: property.id, ...(why !== undefined && { why }) };
      }),
      known: this.known,
      ...(options.shard !== undefined && { shard: options.shard }),
    });
  }

  /** Cases kept from earlier runs; they do not count as cases of this one. */
  async replay(cases: readonly ReplayCase[]): Promise<void> {
    for (const found of cases) {
      if (this.over()) return;
      const { property, scenario } = found;
      const outcome = await this.tried(scenario);
      if (outcome === undefined) return;
      this.options.record?.case({ property, scenario, outcome, replayed: true });
      this.take(property, { scenario, simpler: () => [][Symbol.iterator]() }, outcome);
    }
  }

  /** Generates, runs and judges all cases, or as many as time, errors and findings allow. */
  async run(): Promise<void> {
    const able = this.properties.filter((p) => hindrance(p, this.executor.profile) === undefined);
    if (able.length === 0) return;
    const { seed = 1, shard = { i: 1, n: 1 } } = this.options;
    await inOrder(
      schedule(able, this.executor.profile, seed, this.runs, shard),
      this.executor.concurrency,
      async ({ property, generated: { scenario } }) => {
        if (this.over() || this.broken(property)) return undefined;
        const outcome = await this.tried(scenario);
        if (outcome === undefined) return undefined;
        // before its turn comes: a crash must not take what others wait for with it
        this.options.record?.case({ property: property.id, scenario, outcome, replayed: false });
        return outcome;
      },
      ({ property, generated }, outcome) => {
        if (outcome === undefined) return !this.over();
        this.tally.case(property.id);
        this.take(property.id, generated, outcome);
        this.progress('running');
        return !this.stopped;
      },
    );
  }

  /** Makes a small, confirmed failure out of the best case that each violated rule was seen in. */
  async gather(): Promise<void> {
    if (this.tally.found.size === 0 || this.hung) return;
    await unlessHung(this.shrinkAndConfirm(), this.options.signal, { seconds: 10 });
  }

  private async shrinkAndConfirm(): Promise<void> {
    this.progress('shrinking');
    const { executor, kind, options } = this;
    const usual = defaults[kind];
    const until = performance.now() + shrinkTime;
    const stop = (): boolean => this.aborted || (kind === 'real' && performance.now() > until);
    const work = this.selected.flatMap((rule) => {
      const found = this.tally.found.get(rule.id);
      return found === undefined ? [] : [{ rule, found, known: this.isKnown(rule.id) }];
    });
    const shrunk = new Map<string, Scenario>();
    await inOrder(
      work[Symbol.iterator](),
      usual.rulesAtATime,
      async ({ found, known }) => {
        const { tries } = known ? ifKnown[kind] : usual;
        return simplest(found, executor, { tries, parallel: usual.parallel, stop });
      },
      ({ rule }, scenario) => {
        shrunk.set(rule.id, scenario);
        return true;
      },
    );
    const failures = new Map<string, Failure>();
    const confirm = async (some: typeof work, atATime: number): Promise<void> =>
      inOrder(
        some[Symbol.iterator](),
        atATime,
        async ({ rule, found, known }) =>
          evidenceFor(found, rule, shrunk.get(rule.id) ?? found.generated.scenario, {
            executor,
            adapter: options.adapter.name,
            confirmations: this.confirmations(known),
            known,
            cases: this.cases,
            ...(!known && { vary: { ...varied[kind], stop } }),
          }),
        ({ rule }, outcome) => {
          if ('failure' in outcome) {
            failures.set(rule.id, outcome.failure);
            options.record?.failure(outcome.failure);
          } else {
            this.doubtful.set(rule.id, outcome.doubt);
            options.record?.doubt(rule.id, outcome.doubt);
          }
          return true;
        },
      );
    await confirm(
      work.filter(({ known }) => known),
      usual.rulesAtATime,
    );
    // What is news must show where nothing else keeps the device busy.
    await confirm(
      work.filter(({ known }) => !known),
      1,
    );
    for (const { rule } of work) {
      const failure = failures.get(rule.id);
      if (failure === undefined) continue;
      this.confirmed.add(rule.id);
      this.failures.push(failure);
    }
  }

  result(): RunResult {
    const { executor, options, ruleSet, tally } = this;
    const { profile } = executor;
    const { known } = this;
    const { i = 1, n = 1 } = options.shard ?? {};
    const shards = { of: n, have: [i] };
    const partial = this.partial(shards);
    const unexplained = executor.unexplainedDeath;
    const evidence: Evidence = {
      tally,
      capabilities: [
        ...profile.capabilities,
        ...((profile.minTimeout ?? 1) > 1 ? (['min-timeout'] as const) : []),
      ],
      known,
      confirmed: this.confirmed,
      doubtful: this.doubts(),
      interrupted: this.aborted,
      late: this.late,
      hindrance: (property) => hindrance(property, executor.profile),
    };
    const rules = this.selected.map((rule) => ruleResult(rule, evidence));
    const byId = new Map(ruleSet.rules.map((rule) => [rule.id, rule]));
    const expected = known.filter((entry) => this.counted.has(entry.rule));
    return {
      schema: 'rdma-conform/results/1',
      adapter: { name: options.adapter.name, profile },
      seed: options.seed ?? 1,
      spec: ruleSet.digest,
      durationMs: Math.round(this.elapsed()),
      counts: countVerdicts(rules),
      cases: tally.cases,
      packets: tally.packets,
      rules,
      properties: this.properties.map((property) => propertyResult(property, byId, evidence)),
      failures: this.failures,
      unexpectedPasses: unexpectedPasses(expected, tally.exercised, new Set(tally.found.keys())),
      notJudged: [...tally.notJudged, ...tally.inconclusive].map(([what, count]) => ({ what, count })),
      interrupted: this.aborted,
      ...(shards.of > 1 && { shards }),
      ...(partial.length > 0 && { partial }),
      errors: [
        ...[...tally.errorsByProperty].flatMap(([id, messages]) => messages.map((m) => `${id}: ${m}`)),
        ...(unexplained === undefined
          ? []
          : [`the device died, and no scenario by itself makes it die again: ${unexplained}`]),
      ],
    };
  }

  /** Why this is not all of what was to be run. */
  private partial(shards: { of: number; have: number[] }): string[] {
    return [
      ...missingParts(shards),
      ...(this.aborted ? ['interrupted'] : []),
      ...(this.late ? ['the time limit was reached'] : []),
      ...(this.stopped ? ['stopped early'] : []),
      ...(this.aborted || this.late || this.stopped ? this.unreached() : []),
    ];
  }

  /** How many of the properties that the device can be tried with have not had their turn. */
  private unreached(): string[] {
    const able = this.properties.filter((p) => hindrance(p, this.executor.profile) === undefined);
    const left = able.filter(({ id }) => !this.tally.casesByProperty.has(id)).length;
    return left === 0 ? [] : [`${left} of ${able.length} properties not run`];
  }

  private get aborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  private elapsed(): number {
    return performance.now() - this.begun;
  }

  /** What running a scenario comes to; nothing where the device hangs and somebody has asked for the end. */
  private async tried(scenario: Scenario): Promise<CaseOutcome | undefined> {
    const outcome = await unlessHung(this.executor.run(scenario), this.options.signal, { seconds: 3 });
    if (outcome === undefined) this.hung = true;
    return outcome;
  }

  /** By rule that was seen broken and is not confirmed: why not. */
  private doubts(): Map<string, string> {
    const unseen = 'seen, but the run ended before it could be seen again';
    const pending = [...this.tally.found.keys()].filter((rule) => !this.confirmed.has(rule));
    return new Map(pending.map((rule) => [rule, this.doubtful.get(rule) ?? unseen]));
  }

  /** No more cases are to be begun. */
  private over(): boolean {
    const { timeLimit } = this.options;
    this.late ||= timeLimit !== undefined && this.elapsed() > timeLimit * 1000;
    return this.stopped || this.aborted || this.late;
  }

  private broken(property: SuiteProperty): boolean {
    return (this.tally.errorsByProperty.get(property.id)?.length ?? 0) >= mostErrors;
  }

  /** Runs that a shrunk failure is to show in; one of them once somebody waits for the end. */
  private confirmations(known: boolean): number {
    if (this.aborted && this.kind === 'real') return 1;
    return this.options.confirmations ?? (known ? ifKnown : defaults)[this.kind].confirmations;
  }

  private isKnown(rule: string): boolean {
    return this.known.some((entry) => entry.rule === rule);
  }

  private take(property: string, generated: Generated, outcome: CaseOutcome): void {
    if (outcome.kind === 'error') {
      this.tally.error(property, outcome.message);
      if (outcome.fatal) this.stopped = true;
      return;
    }
    const violated = this.tally.add(property, generated, outcome, (rule) => this.counted.has(rule));
    for (const rule of violated) {
      const found = this.tally.found.get(rule);
      if (found?.generated === generated) this.keep(found);
    }
    if (this.options.bail === true && violated.some((rule) => !this.isKnown(rule))) this.stopped = true;
  }

  /** A violation has its file from now on, whatever ends this run. */
  private keep({ rule, property, generated, violation }: Found): void {
    const { scenario } = generated;
    const { expected, observed } = violation;
    const adapter = this.options.adapter.name;
    this.cases.sighted({ rule, property, adapter, scenario }, { expected, observed });
  }

  private progress(phase: RunProgress['phase']): void {
    const { onProgress, shard } = this.options;
    const elapsed = this.elapsed();
    // Telling costs more than a case does; a person sees no more than this.
    if (onProgress === undefined || (phase === 'running' && elapsed - this.lastProgress < 50)) return;
    this.lastProgress = elapsed;
    onProgress({
      phase,
      cases: this.tally.cases,
      of: Math.ceil(this.runs / (shard?.n ?? 1)),
      packets: this.tally.packets,
      rulesExercised: this.selected.filter((rule) => this.tally.exercised.has(rule.id)).length,
      rulesTotal: this.selected.length,
      failures: this.tally.found.size,
      elapsed,
    });
  }
}
