import {
  AdapterBroken,
  AdapterUnavailable,
  type Adapter,
  type Bench,
  type OpenOptions,
  type Profile,
} from '../../adapters/adapter.ts';
import { withPlace } from '../../adapters/errors.ts';
import { Judge, type RuleSet } from '../../oracle/index.ts';
import { membersOf } from '../beside.ts';
import {
  BenchSession,
  DeathError,
  Interrupted,
  SetupError,
  Turns,
  type DriveResult,
} from '../driver/index.ts';
import type { Scenario, Step } from '../scenario.ts';
import { Admission } from './devices/admission.ts';
import type { CaseOutcome, CaseRunner } from './devices/case-runner.ts';

/** Deaths of a real device after which no other one is opened. */
const mostDeaths = 100;
/** Cases of a run that may break a device on virtual time, of which each case has one of its own; behind the last no other is tried. */
export const breaksOfRun = 3;

interface Shared {
  bench: Bench;
  session: BenchSession;
  /** scenarios that were begun on it */
  begun: number;
}

/**
 * Runs and judges scenarios on one adapter. On a virtual clock each scenario has a bench of its own, so that nothing is
 * left over from the one before; otherwise all share one, several at a time. A real device that dies is opened anew, and what it
 * was doing is run again, one scenario at a time: only that shows which of them was the cause.
 */
export class Executor implements CaseRunner {
  readonly profile: Profile;
  /** scenarios that may run at a time */
  readonly concurrency: number;
  readonly devices = 1;
  private readonly adapter: Adapter;
  private readonly rules: RuleSet;
  private readonly options: OpenOptions;
  private shared: Shared | undefined;
  private reviving: Promise<void> | undefined;
  private deaths = 0;
  private breaksLeft: number;
  /** what the device died of first; explained: some scenario has shown to be the cause of a death */
  private death: string | undefined;
  private explained = false;
  /** of what is done between scenarios in virtual time */
  private readonly turns = new Turns();
  private readonly admission: Admission;
  /** the run was interrupted while another device was opened in place of one that died: there is none any more */
  private isCut = false;

  private constructor(
    adapter: Adapter,
    rules: RuleSet,
    options: OpenOptions,
    { profile, bench, breaks }: { profile: Profile; bench: Bench | undefined; breaks: number },
  ) {
    this.adapter = adapter;
    this.options = options;
    this.breaksLeft = breaks;
    this.rules = rules;
    this.profile = bench === undefined || bench.wire ? profile : { ...profile, wire: 'none' };
    this.shared = bench === undefined ? undefined : { bench, session: new BenchSession(bench), begun: 0 };
    this.concurrency = bench === undefined ? 1 : Math.max(1, this.profile.concurrency);
    this.admission = new Admission(this.concurrency);
  }

  /** `breaks`: cases that may break a device on virtual time. Throws AdapterUnavailable where the device cannot be had. */
  static async open(adapter: Adapter, rules: RuleSet, options: OpenOptions, breaks = 1): Promise<Executor> {
    const described = await adapter.describe();
    const bench = described.clock === 'virtual' ? undefined : await adapter.open(options);
    // once open, a device may know more of itself, such as its exact version
    const profile = bench?.profile ?? described;
    return new Executor(adapter, rules, options, { profile, bench, breaks });
  }

  async run(scenario: Scenario): Promise<CaseOutcome> {
    const alone = membersOf(scenario).some(({ steps }) => steps.some(concernsAll));
    try {
      if (this.isCut) throw new Interrupted();
      let turn = this.admission.enter(alone);
      for (;;) {
        const outcome = await this.attempt(scenario, alone, await turn);
        if (outcome.kind !== 'again') return outcome;
        turn = outcome.turn;
      }
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      return { kind: 'error', message: error.message, fatal: false, interrupted: true };
    }
  }

  /** `isAlone`: it shares the device with no other, as it has to where it is to be `alone`. */
  private async attempt(
    scenario: Scenario,
    alone: boolean,
    isAlone: boolean,
  ): Promise<CaseOutcome | { kind: 'again'; turn: Promise<boolean> }> {
    const { shared, admission } = this;
    const turns = new Turns(this.options.signal);
    try {
      return await this.judge(await this.drive(scenario, turns), turns);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      if (error instanceof DeathError) {
        const at = touched(error.drive);
        this.death ??= error.message;
        const failed = await this.revive(shared);
        // nobody has waited for the next one to come up: it is not known to be broken
        if (failed !== undefined && this.options.signal?.aborted === true) this.isCut = true;
        if (this.isCut) throw new Interrupted();
        if (failed !== undefined) return { kind: 'error', message: failed, fatal: true };
        // the first and only one on a device needs no second look
        if (!isAlone && shared !== undefined && shared.begun > 1)
          return { kind: 'again', turn: admission.enterAgain(alone, at) };
        this.explained = true;
        admission.clear();
        return await this.judge(error.drive, turns);
      }
      // A device that refuses a call of the set-up may be wrong to do so.
      const judged = error instanceof SetupError ? await this.judge(error.drive, turns) : undefined;
      if (judged !== undefined && judged.judgement.violations.length > 0) return judged;
      const message = error instanceof Error ? describe(error) : String(error);
      return { kind: 'error', message, fatal: this.endsWith(error) };
    } finally {
      admission.leave();
    }
  }

  /** Whether nothing more can be tried behind the error. */
  private endsWith(error: unknown): boolean {
    if (error instanceof AdapterUnavailable) return true;
    return error instanceof AdapterBroken && (this.shared !== undefined || --this.breaksLeft <= 0);
  }

  private async judge(drive: DriveResult, turns: Turns): Promise<Extract<CaseOutcome, { kind: 'judged' }>> {
    const judge = new Judge(drive.header, this.rules);
    for (const event of drive.events) {
      if (turns.due) await turns.take();
      judge.push(event);
    }
    return { kind: 'judged', judgement: judge.finish(), drive };
  }

  /** Opens a device in place of the one that died; why there is none, where that fails. */
  private async revive(dead: Shared | undefined): Promise<string | undefined> {
    if (dead === undefined) return undefined;
    try {
      if (this.shared === dead) await (this.reviving ??= this.openAnother(dead));
      return undefined;
    } catch (error) {
      return error instanceof Error ? describe(error) : String(error);
    } finally {
      if (this.shared !== dead) this.reviving = undefined;
    }
  }

  private async openAnother(dead: Shared): Promise<void> {
    if (++this.deaths > mostDeaths) throw new AdapterBroken(`the device died ${mostDeaths} times`);
    dead.session.close();
    await dead.bench.close();
    const bench = await this.adapter.open(this.options);
    this.shared = { bench, session: new BenchSession(bench), begun: 0 };
  }

  /** What the device died of, where no scenario by itself made it die again. */
  get unexplainedDeath(): string | undefined {
    return this.explained ? undefined : this.death;
  }

  /** Throws where the device turns out to be broken while it is closed. */
  async close(): Promise<void> {
    try {
      this.shared?.session.close();
      await this.shared?.bench.close();
    } finally {
      await this.adapter.close?.();
    }
  }

  private async drive(scenario: Scenario, turns: Turns): Promise<DriveResult> {
    if (this.shared !== undefined) {
      this.shared.begun++;
      return this.shared.session.run(scenario);
    }
    // Nothing in virtual time waits, so that without this a run would not hear Ctrl-C before its end.
    if (this.turns.due) await this.turns.take();
    const bench = await this.adapter.open({});
    const session = new BenchSession(bench, turns);
    try {
      return await session.run(scenario);
    } finally {
      session.close();
      await bench.close();
    }
  }
}

/**
 * Whether what the step does reaches other scenarios on the device: the port is shared by all of them, and it is unknown whose a packet is that goes to
 * a QP number which no scenario has.
 */
function concernsAll(step: Step): boolean {
  if (step.do === 'link' || step.do === 'gid') return true;
  return step.do === 'modify_qp' && step.attr?.dest_qp_num !== undefined;
}

/** When something was done last to the device that died just now, milliseconds as of `performance.now`; -1: nothing was. */
function touched({ events }: DriveResult): number {
  const last = events.findLast(
    (event) =>
      event.kind === 'call' ||
      ((event.kind === 'packet' || event.kind === 'frame') && event.direction === 'to-dut'),
  );
  const end = events.at(-1);
  // the times of a trace count from its begin
  return last === undefined || end === undefined ? -1 : performance.now() - (end.t - last.t) / 1e6;
}

function describe(error: Error): string {
  if (error instanceof SetupError || error instanceof AdapterBroken) return error.message;
  return withPlace(error);
}
