import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AdapterBroken,
  AdapterUnavailable,
  type Adapter,
  type Bench,
  type Profile,
} from '../../adapters/adapter.ts';
import { Judge, type Judgement, type RuleSet } from '../../oracle/index.ts';
import { BenchSession, SetupError, type DriveResult } from '../driver/index.ts';
import type { Scenario } from '../scenario.ts';

export type CaseOutcome =
  | { kind: 'judged'; judgement: Judgement; drive: DriveResult }
  /** `fatal`: the device is gone, and nothing more can be run */
  | { kind: 'error'; message: string; fatal: boolean };

/** Milliseconds of work in virtual time after which signals, streams and timers of the process get their turn. */
const longestTurn = 50;

/**
 * Runs and judges scenarios on one adapter. On a virtual clock each scenario has a bench of its own, so that nothing is
 * left over from the one before; otherwise all share one, several at a time.
 */
export class Executor {
  readonly profile: Profile;
  /** scenarios that may run at a time */
  readonly concurrency: number;
  private readonly adapter: Adapter;
  private readonly rules: RuleSet;
  private readonly shared: { bench: Bench; session: BenchSession } | undefined;
  private running = 0;
  private turn = performance.now();
  private readonly waiting: { start: () => void; alone: boolean }[] = [];
  private alone = false;

  private constructor(adapter: Adapter, rules: RuleSet, profile: Profile, bench: Bench | undefined) {
    this.adapter = adapter;
    this.rules = rules;
    this.profile = bench === undefined || bench.wire ? profile : { ...profile, wire: 'none' };
    this.shared = bench === undefined ? undefined : { bench, session: new BenchSession(bench) };
    this.concurrency = bench === undefined ? 1 : Math.max(1, this.profile.concurrency);
  }

  /** Throws AdapterUnavailable where the device cannot be had. */
  static async open(
    adapter: Adapter,
    rules: RuleSet,
    options: { log?: (line: string) => void; signal?: AbortSignal },
  ): Promise<Executor> {
    const described = await adapter.describe();
    const bench = described.clock === 'virtual' ? undefined : await adapter.open(options);
    // once open, a device may know more of itself, such as its exact version
    return new Executor(adapter, rules, bench?.profile ?? described, bench);
  }

  async run(scenario: Scenario): Promise<CaseOutcome> {
    const alone = scenario.steps.some((step) => step.do === 'link');
    await this.enter(alone);
    try {
      return this.judge(await this.drive(scenario));
    } catch (error) {
      // A device that refuses a call of the set-up may be wrong to do so.
      const judged = error instanceof SetupError ? this.judge(error.drive) : undefined;
      if (judged !== undefined && judged.judgement.violations.length > 0) return judged;
      const message = error instanceof Error ? describe(error) : String(error);
      const fatal = error instanceof AdapterBroken || error instanceof AdapterUnavailable;
      return { kind: 'error', message, fatal };
    } finally {
      this.leave();
    }
  }

  private judge(drive: DriveResult): Extract<CaseOutcome, { kind: 'judged' }> {
    const judge = new Judge(drive.header, this.rules);
    for (const event of drive.events) judge.push(event);
    return { kind: 'judged', judgement: judge.finish(), drive };
  }

  async close(): Promise<void> {
    this.shared?.session.close();
    await this.shared?.bench.close();
  }

  private async drive(scenario: Scenario): Promise<DriveResult> {
    if (this.shared !== undefined) return this.shared.session.run(scenario);
    // Nothing in virtual time waits, so that without this a run would not hear Ctrl-C before its end.
    if (performance.now() - this.turn > longestTurn) {
      await nextTurn();
      this.turn = performance.now();
    }
    const bench = await this.adapter.open({});
    const session = new BenchSession(bench);
    try {
      return await session.run(scenario);
    } finally {
      session.close();
      await bench.close();
    }
  }

  /** Waits for its turn; one that is to be `alone` shares the device with no other. */
  private async enter(alone: boolean): Promise<void> {
    if (this.waiting.length === 0 && this.admits(alone)) this.begin(alone);
    else await new Promise<void>((start) => this.waiting.push({ start, alone }));
  }

  private admits(alone: boolean): boolean {
    return alone ? this.running === 0 : !this.alone && this.running < this.concurrency;
  }

  private begin(alone: boolean): void {
    this.running++;
    this.alone = alone;
  }

  private leave(): void {
    this.running--;
    this.alone = false;
    for (let next = this.waiting[0]; next !== undefined && this.admits(next.alone); next = this.waiting[0]) {
      this.waiting.shift();
      this.begin(next.alone);
      next.start();
    }
  }
}

function describe(error: Error): string {
  if (error instanceof SetupError || error instanceof AdapterBroken) return error.message;
  // Where it was thrown is what a person needs to mend it.
  const place = error.stack
    ?.split('\n')[1]
    ?.trim()
    .replace(/\(.*[/\\]([^/\\]+[/\\][^/\\]+)\)$/, '($1)');
  return place === undefined ? `${error.name}: ${error.message}` : `${error.name}: ${error.message} ${place}`;
}
