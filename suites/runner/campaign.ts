import { setMaxListeners } from 'node:events';
import { basename } from 'node:path';
import type { Rule, RuleSet } from '../../oracle/index.ts';
import { impacts } from '../../spec/impacts.ts';
import { missingParts, type Failure, type RunResult } from '../../report/results.ts';
import { CaseStore, type ReplayCase } from '../case/index.ts';
import { hindrance } from './hindrance.ts';
import { expectedBy, unexpectedPasses, type KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import type { CaseRunner, CleanOutcome } from './devices/case-runner.ts';
import type { CaseOutcome } from './executor.ts';
import { Gathering } from './gather.ts';
import type { Generated } from './generate.ts';
import type { RunOptions, RunProgress } from './options.ts';
import { unlessHung } from './patience.ts';
import { Watched } from './devices/watched.ts';
import { runsOf } from './budget/presets.ts';
import { inOrder, schedule } from './schedule.ts';
import { abilities, applicable } from './select.ts';
import { findingKey } from './signature.ts';
import { Rows } from './budget/rows.ts';
import { spentOn } from './budget/chooser.ts';
import { Spending } from './budget/spending.ts';
import { Tally, type Found } from './tally.ts';
import {
  countVerdicts,
  isCounted,
  notJudgedOf,
  propertyResult,
  ruleResult,
  standingOf,
  type Evidence,
} from './verdicts.ts';

// Different errors of a property after which it is left alone: more of them would tell nothing new.
const mostErrors = 5;

/** Seconds that a device has to end what it is doing, once somebody has asked for the end. */
const patience = { virtual: 0.6, real: 3 };

/** Cases of a property in a row, and generated together, on a real clock. */
const timedRow = 20;

/** What a run is about. */
export interface Chosen {
  /** rules that may count */
  selected: readonly Rule[];
  /** properties that are run */
  chosen: readonly SuiteProperty[];
  /** of the selected rules, those that count only where a case exercises or breaks them after all */
  elsewhere: ReadonlySet<string>;
}

/** One run of properties on a device, from the first case to the result. */
export class Campaign {
  private readonly options: RunOptions;
  private readonly executor: CaseRunner;
  private readonly ruleSet: RuleSet;
  private readonly selected: readonly Rule[];
  private readonly elsewhere: ReadonlySet<string>;
  private readonly counted: ReadonlySet<string>;
  private readonly properties: readonly SuiteProperty[];
  private readonly tally = new Tally();
  private readonly cases: CaseStore;
  /** by error: the name of its case file */
  private readonly errorFiles = new Map<string, string>();
  private readonly failures: Failure[] = [];
  /** findings, as `doubtful` */
  private readonly confirmed = new Set<string>();
  private readonly doubtful = new Map<string, string>();
  private readonly begun = performance.now();
  private readonly known: readonly KnownDivergence[];
  private readonly runs: number;
  private stopped = false;
  private hung = false;
  /** what the device broke of while findings were run again */
  private brokenSince: string | undefined;
  private late = false;
  private lastProgress = 0;
  private begunCases = 0;

  constructor(
    options: RunOptions,
    executor: CaseRunner,
    ruleSet: RuleSet,
    { selected, chosen, elsewhere }: Chosen,
  ) {
    this.options = options;
    this.executor = executor;
    this.ruleSet = ruleSet;
    this.selected = selected;
    this.counted = new Set(selected.map((rule) => rule.id));
    this.properties = chosen;
    this.elsewhere = elsewhere;
    this.cases = new CaseStore(options.caseDirectory, options.log);
    // each scenario under way listens, dozens of them on a real device
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    const { known = [] } = options;
    this.known = typeof known === 'function' ? known(executor.profile) : known;
    this.runs = runsOf(options, executor.profile);
    options.record?.begin({
      adapter: options.adapter.name,
      profile: executor.profile,
      seed: options.seed ?? 1,
      spec: ruleSet.digest,
      rules: [...this.counted],
      properties: chosen.map((property) => {
        const why = hindrance(property, executor.profile);
        return { id: property.id, ...(why !== undefined && { why }) };
      }),
      known: this.known,
      ...(elsewhere.size > 0 && { elsewhere: [...elsewhere] }),
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
      this.options.record?.case({ property, scenario, outcome, place: this.begunCases++, replayed: true });
      this.take(property, { scenario, simpler: () => [][Symbol.iterator]() }, outcome);
    }
  }

  /** Generates, runs and judges all cases, or as many as time, errors and findings allow. */
  async run(): Promise<void> {
    const able = this.properties.filter((p) => hindrance(p, this.executor.profile) === undefined);
    if (able.length === 0) return;
    const { seed = 1, shard = { i: 1, n: 1 } } = this.options;
    const { profile } = this.executor;
    // on a real clock a case takes time above all, and no two runs take the same: news per cost would not repeat by seed
    const timed = profile.clock !== 'virtual';
    const spending = timed
      ? new Rows(able, this.runs / shard.n, timedRow)
      : new Spending(able, applicable(this.selected, profile), shard);
    await inOrder(
      schedule(able, profile, seed, this.runs, shard, spending, timed ? timedRow : 1),
      this.executor.concurrency,
      async ({ property, generated: { scenario } }) => {
        if (this.over() || this.broken(property)) return undefined;
        const place = this.begunCases++;
        const outcome = await this.tried(scenario);
        if (outcome === undefined) return undefined;
        // before its turn comes: a crash must not take what others wait for with it
        this.options.record?.case({ property: property.id, scenario, outcome, place, replayed: false });
        return outcome;
      },
      ({ index, property, generated }, outcome) => {
        // where one case at a time is run, it would not have been begun
        if (outcome === undefined || this.broken(property)) return !this.over();
        this.tally.case(property.id);
        this.take(property.id, generated, outcome);
        spending.learn(spentOn(index, outcome, this.broken(property)));
        this.progress('running');
        return !this.stopped;
      },
    );
  }

  /** Makes a small, confirmed failure out of the best case that each violated rule was seen in. */
  async gather(): Promise<void> {
    if (this.tally.found.size === 0 || this.hung) return;
    this.progress('shrinking');
    const { tally, options, selected, known, cases } = this;
    const executor = new Watched(this.executor);
    const gathering = new Gathering({ tally, executor, options, selected, known, cases });
    const all = gathering.run(({ key, failure, doubt }) => {
      if (doubt !== undefined)
        this.doubtful.set(
          key,
          executor.broken === undefined ? doubt : 'seen, but the device broke meanwhile',
        );
      if (failure === undefined) return;
      this.confirmed.add(key);
      this.failures.push(failure);
    });
    await unlessHung(all, options.signal, { seconds: 10 });
    this.brokenSince = executor.broken;
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
      capabilities: abilities(profile),
      known,
      ...this.standing(),
      interrupted: this.aborted,
      late: this.late,
      hindrance: (property) => hindrance(property, executor.profile),
    };
    const rules = this.counting().map((rule) => ruleResult(rule, evidence));
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
        ...[...tally.errorsByProperty].flatMap(([id, messages]) =>
          messages.map((m) => this.withFile(`${id}: ${m}`)),
        ),
        ...(this.brokenSince === undefined
          ? []
          : [`the device broke while findings were run again: ${this.brokenSince}`]),
        ...(unexplained === undefined
          ? []
          : [`the device died, and no scenario by itself makes it die again: ${unexplained}`]),
      ],
    };
  }

  /** An error, with the file of its case. */
  private withFile(error: string): string {
    const file = this.errorFiles.get(error);
    return file === undefined ? error : `${error} (case file ${file})`;
  }

  private counting(): Rule[] {
    return this.selected.filter((rule) => isCounted(rule, this.tally, this.elsewhere));
  }

  /** Why this is not all of what was to be run. */
  private partial(shards: { of: number; have: number[] }): string[] {
    return [
      ...missingParts(shards),
      ...(this.aborted ? ['interrupted'] : []),
      ...(this.late && this.runs !== Infinity ? ['the time limit was reached'] : []),
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
  private async tried(scenario: Scenario): Promise<CaseOutcome | CleanOutcome | undefined> {
    const { clock } = this.executor.profile;
    const seconds = clock === 'virtual' ? patience.virtual : patience.real;
    const outcome = await unlessHung(this.executor.run(scenario), this.options.signal, { seconds });
    if (outcome === undefined) this.hung = true;
    return outcome?.kind === 'error' && outcome.interrupted === true ? undefined : outcome;
  }

  /** By finding that is not confirmed: why not. */
  private doubts(): Map<string, string> {
    const unseen = 'seen, but the run ended before it could be seen again';
    const pending = [...this.tally.found.keys()].filter((key) => !this.confirmed.has(key));
    return new Map(pending.map((key) => [key, this.doubtful.get(key) ?? unseen]));
  }

  private standing(): Pick<Evidence, 'again' | 'confirmed' | 'doubtful'> {
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

  private isKnown(found: Found): boolean {
    return expectedBy(this.known, found) !== undefined;
  }

  private take(property: string, generated: Generated, outcome: CaseOutcome | CleanOutcome): void {
    if (outcome.kind === 'error') {
      const { message } = outcome;
      const found = { property, adapter: this.options.adapter.name, scenario: generated.scenario };
      if (this.tally.error(property, message)) {
        const file = this.cases.broke(found, message);
        if (file !== undefined) this.errorFiles.set(`${property}: ${message}`, basename(file));
      }
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
      rulesTotal: this.counting().length,
      failures: this.tally.found.size,
      elapsed,
    });
  }
}
