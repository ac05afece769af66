import { setMaxListeners } from 'node:events';
import type { Rule, RuleSet } from '../../oracle/index.ts';
import { impacts } from '../../spec/impacts.ts';
import { missingParts, type Failure, type RunResult } from '../../report/results.ts';
import { CaseStore, parseScenario, type ReplayCase } from '../case/index.ts';
import { hindrance } from './hindrance.ts';
import { expectedBy, unexpectedPasses, type KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import { evidenceFor, simplest, whatMatters } from './evidence.ts';
import type { CaseOutcome, Executor } from './executor.ts';
import type { Generated } from './generate.ts';
import type { RunOptions, RunProgress } from './options.ts';
import { unlessHung } from './patience.ts';
import { inOrder, schedule } from './schedule.ts';
import type { Shrunk } from './shrink.ts';
import { findingKey } from './signature.ts';
import { Tally, type Found } from './tally.ts';
import {
  countVerdicts,
  notJudgedOf,
  propertyResult,
  ruleResult,
  standingOf,
  type Evidence,
} from './verdicts.ts';

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
// Seconds that shrinking a finding may take on a real device, and as many to find out what matters in it.
const shrinkTime = 10;
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
  /** findings, as `doubtful` */
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
    const bounds = { parallel: usual.parallel };
    const all = [...this.tally.found.values()];
    const work = this.selected.flatMap((rule) =>
      all
        .filter((found) => found.rule === rule.id)
        .map((found) => ({ rule, found, key: findingKey(found), known: this.isKnown(found) })),
    );
    const shrunk = new Map<string, Shrunk>();
    await inOrder(
      work[Symbol.iterator](),
      usual.rulesAtATime,
      async ({ found, known }) => {
        const { tries } = known ? ifKnown[kind] : usual;
        return simplest(found, executor, { tries, ...bounds, stop: this.budget() });
      },
      ({ key }, scenario) => {
        shrunk.set(key, scenario);
        return true;
      },
    );
    const failures = new Map<string, Failure>();
    const confirm = async (some: typeof work, atATime: number): Promise<void> =>
      inOrder(
        some[Symbol.iterator](),
        atATime,
        async ({ rule, found, key, known }) =>
          evidenceFor(found, rule, shrunk.get(key) ?? { scenario: found.generated.scenario, whole: false }, {
            executor,
            adapter: options.adapter.name,
            confirmations: this.confirmations(known),
            known,
            cases: this.cases,
          }),
        ({ found, key }, outcome) => {
          if ('failure' in outcome) {
            failures.set(key, outcome.failure);
            options.record?.failure(outcome.failure);
          } else {
            this.doubtful.set(key, outcome.doubt);
            options.record?.doubt(found, outcome.doubt);
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
    const fresh = work.filter(({ key, known }) => !known && failures.has(key));
    await inOrder(
      fresh[Symbol.iterator](),
      usual.rulesAtATime,
      async ({ found, key }) => {
        const scenario = parseScenario(failures.get(key)?.scenario);
        return whatMatters(found, scenario, executor, { ...varied[kind], stop: this.budget() });
      },
      ({ key }, influences) => {
        const failure = failures.get(key);
        if (failure === undefined || influences.length === 0) return true;
        const known = { ...failure, influences };
        failures.set(key, known);
        options.record?.failure(known);
        return true;
      },
    );
    for (const { key } of work) {
      const failure = failures.get(key);
      if (failure === undefined) continue;
      this.confirmed.add(key);
      this.failures.push(failure);
    }
  }

  /** True once the time of a finding is over that begins now. */
  private budget(): () => boolean {
    const seconds = this.options.shrinkTime ?? (this.kind === 'real' ? shrinkTime : Infinity);
    const until = performance.now() + seconds * 1000;
    return () => this.aborted || performance.now() > until;
  }

  /** What was seen, confirmed or not. */
  get findings(): { rule: string; signature: string }[] {
    return [...this.tally.found.values()].map(({ rule, signature }) => ({ rule, signature }));
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
      ...this.standing(),
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
      impacts: Object.entries(impacts).map(([id, says]) => ({ id, says })),
      unexpectedPasses: unexpectedPasses(expected, tally.exercised, [...tally.found.values()]),
      notJudged: notJudgedOf(tally, this.confirmed, this.doubts()),
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

  /** By finding that is not confirmed: why not. */
  private doubts(): Map<string, string> {
    const unseen = 'seen, but the run ended before it could be seen again';
    const pending = [...this.tally.found.keys()].filter((key) => !this.confirmed.has(key));
    return new Map(pending.map((key) => [key, this.doubtful.get(key) ?? unseen]));
  }

  private standing(): Pick<Evidence, 'confirmed' | 'doubtful'> {
    return standingOf(this.tally, this.confirmed, this.doubts());
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

  private isKnown(found: Found): boolean {
    return expectedBy(this.known, found) !== undefined;
  }

  private take(property: string, generated: Generated, outcome: CaseOutcome): void {
    if (outcome.kind === 'error') {
      this.tally.error(property, outcome.message);
      if (outcome.fatal) this.stopped = true;
      return;
    }
    const here = this.tally.add(property, generated, outcome, (rule) => this.counted.has(rule));
    for (const found of here)
      if (this.tally.found.get(findingKey(found))?.generated === generated) this.keep(found);
    if (this.options.bail === true && here.some((found) => !this.isKnown(found))) this.stopped = true;
  }

  /** A violation has its file from now on, whatever ends this run. */
  private keep({ rule, signature, property, generated, violation }: Found): void {
    const { scenario } = generated;
    const { expected, observed } = violation;
    const adapter = this.options.adapter.name;
    this.cases.sighted({ rule, signature, property, adapter, scenario }, { expected, observed });
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
