import { DeviceDied, VerbsError } from '../../adapters/adapter.ts';
import { membersOf } from '../beside.ts';
import type { Scenario } from '../scenario.ts';
import { Arrivals } from './arrivals.ts';
import { Completions } from './work/completions.ts';
import { Member } from './member.ts';
import { headerFor } from './packets/path.ts';
import { readBack } from './read-back.ts';
import { mostEvents, Recorder } from './recorder.ts';
import type { Rest } from './rest.ts';
import { DeathError, SetupError, type DriveResult } from './result.ts';
import type { Belongings, SharedBench } from './shared-bench.ts';
import { commonObjects } from './setup/common.ts';
import type { End } from './setup/end.ts';

/** The device has done more than is written down. */
class TraceFull extends Error {
  constructor() {
    super(`more than ${mostEvents} events`);
  }
}

/** A scenario, and those beside it, on their way through a bench. */
export class DeviceRun {
  private readonly session: SharedBench;
  private readonly scenario: Scenario;
  private readonly recorder: Recorder;
  private readonly members: readonly Member[];
  private readonly arrivals: Arrivals;
  private readonly drain: () => Promise<number>;
  private dead = false;
  /** when each step of the first scenario began */
  private readonly begun: number[] = [];

  constructor(session: SharedBench, scenario: Scenario) {
    this.session = session;
    this.scenario = scenario;
    this.recorder = new Recorder(session.bench.clock);
    const scenarios = membersOf(scenario);
    const objects = commonObjects(scenarios, scenario.beside?.share);
    const completions = new Completions(this.recorder, () =>
      this.members.reduce((sum, { parties }) => sum + parties.posted, 0),
    );
    const rests: Rest[] = [];
    this.drain = async () => {
      let failed = 0;
      for (const end of this.ofDut) failed += await completions.drain(end);
      return failed;
    };
    const { drain } = this;
    this.members = scenarios.map(
      (one, number) =>
        new Member(one, {
          session,
          recorder: this.recorder,
          completions,
          common: { number, objects },
          drain,
          breathe: () => this.breathe(),
          owns: (qpNumber) => session.isOf(qpNumber, this.arrivals),
          rests,
        }),
    );
    this.arrivals = new Arrivals(this.recorder, this.members);
  }

  async run(): Promise<DriveResult> {
    await this.setUp();
    try {
      for (const member of this.turns()) {
        const breath = this.breathe();
        if (breath !== undefined) await breath;
        this.noteStep(member);
        const pending = member.proceed();
        if (pending !== undefined) await pending;
      }
      for (const { rest } of this.members) await rest.settle();
      for (const { parties, scenario } of this.members)
        for (const end of parties.ofDut) await readBack(end, scenario, this.recorder);
    } catch (error) {
      if (error instanceof DeviceDied) throw this.death(error);
      if (!(error instanceof TraceFull)) throw error;
    } finally {
      for (const member of this.members) member.close();
      await this.tearDown();
    }
    return this.result();
  }

  private breathe(): Promise<void> | undefined {
    if (this.recorder.full) throw new TraceFull();
    if (this.arrivals.pollDue) return this.arrivals.poll(this.drain);
    const { turns } = this.session;
    return turns?.due === true ? turns.take() : undefined;
  }

  private get ofDut(): End[] {
    return this.members.flatMap(({ parties }) => parties.ofDut);
  }

  /** Whose step comes next, by the plan and then in turn. */
  private *turns(): Generator<Member> {
    for (const number of this.scenario.beside?.order ?? []) {
      const member = this.members[number];
      if (member?.done === false) yield member;
    }
    for (let left = this.members; left.length > 0; left = left.filter(({ done }) => !done))
      for (const member of left) if (!member.done) yield member;
  }

  /** Steps that went with the one before, in one call, began with it. */
  private noteStep({ place }: Member): void {
    const t = this.recorder.now();
    const before = this.begun.at(-1) ?? t;
    while (this.begun.length < place) this.begun.push(before);
    this.begun.push(t);
  }

  private get belongings(): Belongings {
    const all = this.members.map(({ parties }) => parties.belongings);
    return {
      peerQps: all.flatMap(({ peerQps }) => peerQps),
      dutQps: all.flatMap(({ dutQps }) => dutQps),
      cqs: all.flatMap(({ cqs }) => cqs),
      srqs: all.flatMap(({ srqs }) => srqs),
    };
  }

  private async setUp(): Promise<void> {
    const { session, members } = this;
    try {
      for (const { parties } of members) await parties.create();
      session.route(this.belongings, this.arrivals);
      this.arrivals.begin();
      for (const { parties } of members) await parties.connect();
      for (const member of members) member.begin();
    } catch (error) {
      if (error instanceof DeviceDied) throw this.death(error);
      await this.tearDown();
      throw error instanceof VerbsError ? new SetupError(error, this.result()) : error;
    }
  }

  private death(cause: DeviceDied): DeathError {
    this.dead = true;
    this.session.unroute(this.belongings, this.arrivals);
    this.recorder.push({ kind: 'gone', t: this.recorder.stamp(), reason: cause.reason });
    return new DeathError(cause, this.result());
  }

  private result(): DriveResult {
    const { session, recorder, members } = this;
    const stalls = session.stall?.within(recorder.begun, session.bench.clock.now()) ?? [];
    return {
      header: headerFor(session.header, this.scenario),
      events: stalls.length === 0 ? recorder.events : recorder.withStalls(stalls),
      peerCompletions: members.flatMap(({ rest }) => rest.peerCompletions),
      wire: recorder.marks,
      log: recorder.log,
      ...(members.length === 1 && { steps: this.begun }),
    };
  }

  private async tearDown(): Promise<void> {
    const { session, members } = this;
    if (this.dead) return;
    session.unroute(this.belongings, this.arrivals);
    // A virtual bench is thrown away with everything in it.
    if (session.bench.clock.kind === 'virtual') return;
    if (members.some(({ disturbances }) => disturbances.gidAdded)) await session.bench.setGid?.(false);
    if (members.some(({ disturbances }) => disturbances.linkDown)) await session.bench.setLink?.(true);
    for (const { parties } of members) await parties.destroy();
  }
}
