import { setMaxListeners } from 'node:events';
import type { Rule, RuleSet } from '../../oracle/index.ts';
import type { RunResult } from '../../report/results.ts';
import { CaseStore, type ReplayCase } from '../case/index.ts';
import type { KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import { spentOn } from './budget/chooser.ts';
import { runsOf } from './budget/presets.ts';
import { Rows } from './budget/rows.ts';
import { Spending } from './budget/spending.ts';
import { conclude } from './conclusion.ts';
import type { CaseOutcome, CaseRunner, CleanOutcome } from './devices/case-runner.ts';
import { Watched } from './devices/watched.ts';
import { Ending } from './ending.ts';
import { Gathering } from './gather.ts';
import type { Generated } from './generate.ts';
import { hindrance } from './hindrance.ts';
import type { RunOptions, RunProgress } from './options.ts';
import { unlessHung } from './patience.ts';
import { inOrder, schedule } from './schedule.ts';
import { applicable } from './select.ts';
import { Sightings } from './sightings.ts';
import { isCounted } from './verdicts.ts';

/** Seconds that a device has to end what it is doing, once somebody has asked for the end. */
const patience = { virtual: 0.6, real: 3 };
/** Seconds behind the time limit that a case may take: more than any scenario on a device that works. */
const latest = 120;

/**
 * Cases that may have been run, or be under way, and wait for one in front of them, for each that runs at a time on a real clock: some wait
 * a hundred times as long as others take, for what never comes.
 */
const aheadOf = 16;

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
  private readonly cases: CaseStore;
  private readonly known: readonly KnownDivergence[];
  private readonly sightings: Sightings;
  private readonly ending: Ending;
  private readonly runs: number;
  private brokenSince: string | undefined;
  private lastProgress = 0;
  private begunCases = 0;
  /** of so many rules that were exercised, so many were selected */
  private seenRules = { of: 0, rules: 0 };

  constructor(
    options: RunOptions,
    executor: CaseRunner,
    ruleSet: RuleSet,
    { selected, chosen, elsewhere }: Chosen,
  ) {
    const { adapter, known = [], bail = false, signal, caseDirectory, log } = options;
    const { profile } = executor;
    this.options = options;
    this.executor = executor;
    this.ruleSet = ruleSet;
    this.selected = selected;
    this.counted = new Set(selected.map((rule) => rule.id));
    this.properties = chosen;
    this.elsewhere = elsewhere;
    this.cases = new CaseStore(caseDirectory, log);
    // each scenario under way listens, dozens of them on a real device
    this.known = typeof known === 'function' ? known(profile) : known;
    this.sightings = new Sightings({
      cases: this.cases,
      counted: this.counted,
      known: this.known,
      adapter: adapter.name,
      bail,
    });
    this.ending = new Ending(options);
    for (const each of [signal, this.ending.timeIsUp]) if (each !== undefined) setMaxListeners(0, each);
    this.runs = runsOf(options, profile);
    this.recordBegin();
  }

  /** Cases kept from earlier runs; they do not count as cases of this one. */
  async replay(cases: readonly ReplayCase[]): Promise<void> {
    for (const found of cases) {
      if (this.ending.over()) return;
      const { property, scenario } = found;
      const outcome = await this.tried(scenario);
      if (outcome === undefined) return;
      this.options.record?.case({ property, scenario, outcome, place: this.begunCases++, replayed: true });
      this.take(property, { scenario, simpler: () => [][Symbol.iterator]() }, outcome);
    }
  }

  /** Generates, runs and judges all cases, or as many as time, errors and findings allow. */
  async run(): Promise<void> {
    const { sightings, ending } = this;
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
        if (ending.over() || sightings.broken(property.id)) return undefined;
        const place = this.begunCases++;
        const outcome = await this.tried(scenario);
        if (outcome === undefined) return undefined;
        // before its turn comes: a crash must not take what others wait for with it
        this.options.record?.case({ property: property.id, scenario, outcome, place, replayed: false });
        return outcome;
      },
      ({ index, property, generated }, outcome) => {
        // where one case at a time is run, it would not have been begun
        if (outcome === undefined || sightings.broken(property.id)) return !ending.over();
        sightings.tally.case(property.id);
        this.take(property.id, generated, outcome);
        spending.learn(spentOn(index, outcome, sightings.broken(property.id)));
        this.progress('running');
        return !ending.stopped;
      },
      this.executor.concurrency * (timed ? aheadOf : 1),
    );
  }

  /** Makes a small, confirmed failure out of the best case that each violated rule was seen in. */
  async gather(): Promise<void> {
    const { sightings, options, selected, known, cases } = this;
    const { tally } = sightings;
    if (tally.found.size === 0 || this.ending.hung) return;
    this.progress('shrinking');
    const executor = new Watched(this.executor);
    const gathering = new Gathering({ tally, executor, options, selected, known, cases });
    const all = gathering.run(({ key, failure, doubt }) => {
      const broke = doubt !== undefined && executor.broken !== undefined;
      if (broke) sightings.leave(key, 'seen, but the device broke meanwhile');
      else sightings.settle(key, failure, doubt);
    });
    await unlessHung(all, options.signal, { seconds: 10 });
    this.brokenSince = executor.broken;
  }

  /** No more cases are run. */
  close(): void {
    this.ending.close();
  }

  /** What was seen, confirmed or not. */
  get findings(): { rule: string; signature: string }[] {
    return [...this.sightings.tally.found.values()].map(({ rule, signature }) => ({ rule, signature }));
  }

  result(): RunResult {
    const { options, executor, ruleSet, counting, counted, properties } = this;
    const { known, sightings, ending, runs, brokenSince } = this;
    const asked = { options, executor, ruleSet, counting, counted, properties, known, runs };
    return conclude({ ...asked, sightings, ending, brokenSince });
  }

  private get counting(): Rule[] {
    return this.selected.filter((rule) => isCounted(rule, this.sightings.tally, this.elsewhere));
  }

  private recordBegin(): void {
    const { adapter, seed = 1, shard, record } = this.options;
    const { profile } = this.executor;
    record?.begin({
      adapter: adapter.name,
      profile,
      seed,
      spec: this.ruleSet.digest,
      rules: [...this.counted],
      properties: this.properties.map((property) => {
        const why = hindrance(property, profile);
        return { id: property.id, ...(why !== undefined && { why }) };
      }),
      known: this.known,
      ...(this.elsewhere.size > 0 && { elsewhere: [...this.elsewhere] }),
      ...(shard !== undefined && { shard }),
    });
  }

  /** What running a scenario comes to; nothing where the device hangs and somebody has asked for the end. */
  private async tried(scenario: Scenario): Promise<CaseOutcome | CleanOutcome | undefined> {
    const { clock } = this.executor.profile;
    const seconds = clock === 'virtual' ? patience.virtual : patience.real;
    const run = unlessHung(this.executor.run(scenario), this.options.signal, { seconds });
    const outcome = await unlessHung(run, this.ending.timeIsUp, { seconds: latest });
    if (outcome === undefined) this.ending.hung = true;
    return outcome?.kind === 'error' && outcome.interrupted === true ? undefined : outcome;
  }

  private take(property: string, generated: Generated, outcome: CaseOutcome | CleanOutcome): void {
    if (this.sightings.take(property, generated, outcome)) this.ending.stopped = true;
  }

  /** How many of the selected rules were exercised, counted anew where another one was. */
  private rulesExercised(): number {
    const { exercised } = this.sightings.tally;
    if (exercised.size !== this.seenRules.of)
      this.seenRules = {
        of: exercised.size,
        rules: this.selected.filter(({ id }) => exercised.has(id)).length,
      };
    return this.seenRules.rules;
  }

  private progress(phase: RunProgress['phase']): void {
    const { onProgress, shard } = this.options;
    const { tally } = this.sightings;
    const { elapsed } = this.ending;
    // Telling costs more than a case does; a person sees no more than this.
    if (onProgress === undefined || (phase === 'running' && elapsed - this.lastProgress < 50)) return;
    this.lastProgress = elapsed;
    onProgress({
      phase,
      cases: tally.cases,
      of: Math.ceil(this.runs / (shard?.n ?? 1)),
      packets: tally.packets,
      rulesExercised: this.rulesExercised(),
      rulesTotal: this.counting.length,
      failures: tally.found.size,
      elapsed,
    });
  }
}
