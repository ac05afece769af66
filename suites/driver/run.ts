import { VerbsError, type Clock } from '../../adapters/adapter.ts';
import { FaultWire, type Direction } from '../../adapters/fault-wire/index.ts';
import type { ReferenceNic } from '../../adapters/reference/index.ts';
import type { AsyncEvent, Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { QpPlan, Role, Scenario, Step } from '../scenario.ts';
import { craft } from './craft.ts';
import { attributesFor, createEnd, destroyEnd, type End } from './end.ts';
import { Recorder } from './recorder.ts';
import { SetupError, type DriveResult } from './result.ts';
import type { BenchSession, RunRoutes } from './session.ts';
import { settle } from './settle.ts';
import { PsnTracker } from './tracker.ts';
import { recvWr, sendWr } from './work.ts';

const settleRounds = { virtual: 4000, real: 60 };

/** True where the far end of the DUT is a reference NIC that posts or answers by itself, not a list of crafted packets. */
export function isLive(scenario: Scenario): boolean {
  return scenario.dut === 'requester' || scenario.steps.some((step) => step.do === 'post_send');
}

/** One scenario on its way through a bench. */
export class ScenarioRun implements RunRoutes {
  private readonly session: BenchSession;
  private readonly scenario: Scenario;
  private readonly recorder: Recorder;
  private readonly wire: FaultWire | undefined;
  private readonly tracker: PsnTracker;
  private readonly toDut: Direction;
  private readonly fromDutDirection: Direction;
  private readonly sent: Uint8Array[] = [];
  private readonly peerCompletions: Wc[] = [];
  private dut: End | undefined;
  private peer: End | undefined;
  private nic: ReferenceNic | undefined;
  private activity = 0;
  private unsettled = false;
  private received = 0;
  private posted = { count: 0, signaled: 0 };
  private ordinal = 0;

  constructor(session: BenchSession, scenario: Scenario) {
    this.session = session;
    this.scenario = scenario;
    this.recorder = new Recorder(session.bench.clock);
    this.tracker = new PsnTracker(scenario.requester.startPsn);
    this.toDut = scenario.dut === 'responder' ? 'to-responder' : 'to-requester';
    this.fromDutDirection = scenario.dut === 'responder' ? 'to-requester' : 'to-responder';
    this.wire =
      scenario.faults.length === 0
        ? undefined
        : new FaultWire({
            clock: session.bench.clock,
            faults: scenario.faults,
            firstPsn: scenario.requester.startPsn,
            deliver: (direction, frame) => {
              if (direction === this.toDut) this.reachDut(frame);
              else this.nic?.receive(frame);
            },
          });
  }

  async run(): Promise<DriveResult> {
    const peerQp = await this.setUp();
    try {
      for (const step of this.scenario.steps) {
        const pending = this.step(step);
        if (pending !== undefined) await pending;
      }
      await this.settle();
      await this.readBack();
    } finally {
      if (this.dut !== undefined) this.session.unroute(peerQp, this.dut.qpNum);
      this.wire?.close();
      await this.tearDown();
    }
    return {
      header: this.session.header,
      events: this.recorder.events,
      peerCompletions: this.peerCompletions,
      faultsMet: this.wire?.faultsMet ?? 0,
    };
  }

  fromDut(packet: Packet, time: number): void {
    this.activity = this.session.bench.clock.now();
    this.recorder.packet('from-dut', packet, time);
    this.tracker.seen(packet);
    if (this.wire !== undefined) this.wire.send(this.fromDutDirection, packet.frame);
    else this.nic?.receive(packet.frame);
  }

  fromPeer(frame: Uint8Array): void {
    this.toWire(frame);
  }

  async(event: AsyncEvent, time: number): void {
    this.activity = this.session.bench.clock.now();
    this.recorder.push({ kind: 'async', t: this.recorder.stamp(time), event });
  }

  private async setUp(): Promise<number> {
    const { session, scenario } = this;
    const { bench } = session;
    const far: Role = scenario.dut === 'responder' ? 'requester' : 'responder';
    try {
      const dut = await createEnd(bench.verbs, scenario.dut, scenario, (make, noted) =>
        this.recorder.call(make, noted),
      );
      this.dut = dut;
      let peerQp: number;
      if (isLive(scenario)) {
        this.nic = session.peerNic();
        this.peer = await createEnd(this.nic.verbs, far, scenario, async (make) => make());
        peerQp = this.peer.qpNum;
      } else {
        peerQp = session.craftedPeerQp();
      }
      session.route(peerQp, dut.qpNum, this);
      for (const state of ['IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'] as const) {
        await this.connect(dut, state, { endpoint: bench.peer, qpNum: peerQp, plan: scenario[far] });
        if (this.peer !== undefined) {
          await this.connect(this.peer, state, {
            endpoint: bench.dut,
            qpNum: dut.qpNum,
            plan: scenario[scenario.dut],
          });
        }
      }
      this.peerQp = peerQp;
      return peerQp;
    } catch (error) {
      if (this.dut !== undefined) this.session.unroute(this.peerQp, this.dut.qpNum);
      await this.tearDown();
      throw error instanceof VerbsError ? new SetupError(error) : error;
    }
  }

  private peerQp = 0;

  private async connect(
    end: End,
    state: 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS',
    far: { endpoint: BenchSession['bench']['peer']; qpNum: number; plan: QpPlan },
  ): Promise<void> {
    const { bench } = this.session;
    const near = end === this.dut ? bench.dut : bench.peer;
    const attr = attributesFor(state, end, this.scenario, far, near);
    if (end !== this.dut) return end.verbs.modify_qp(end.qp, attr);
    await this.recorder.call(
      () => end.verbs.modify_qp(end.qp, attr),
      () => ({ call: 'modify_qp', qp: end.qp, attr }),
    );
  }

  /** What a step has to wait for; `undefined` where it is done at once. */
  private step(step: Step): Promise<void> | undefined {
    switch (step.do) {
      case 'inject': {
        const { scenario, session, tracker } = this;
        const { dut: near, peer: far } = session.bench;
        const made = craft(step.packet, {
          scenario,
          dut: near,
          peer: far,
          destQp: this.dutEnd.qpNum,
          regions: this.targets,
          next: tracker.next,
          ordinal: this.ordinal++,
        });
        if (made.psns > 0) tracker.sent(made.psn, made.psns);
        this.toWire(made.frame);
        return undefined;
      }
      case 'reinject': {
        const frame = this.sent[this.sent.length - 1 - step.back];
        if (frame !== undefined) this.toWire(frame);
        return undefined;
      }
      case 'settle':
        return this.settle();
      case 'sleep':
        return this.session.bench.clock.sleep(step.us * 1000);
      case 'post_recv':
        return this.postRecv(step);
      case 'post_send':
        return this.postSend(step);
      case 'modify_qp':
        return this.modify(step);
      case 'dereg_mr':
        return this.deregister(step.region);
    }
  }

  private get dutEnd(): End {
    if (this.dut === undefined) throw new Error('the scenario has not been set up');
    return this.dut;
  }

  /** Regions that requests aim at, wherever they live. */
  private get targets(): End['regions'] {
    return (this.scenario.dut === 'responder' ? this.dut : this.peer)?.regions ?? [];
  }

  private async postRecv(step: Extract<Step, { do: 'post_recv' }>): Promise<void> {
    const end = this.scenario.dut === 'responder' ? this.dutEnd : this.peer;
    if (end === undefined) return;
    // Whether a packet still on its way meets this WQE would be a matter of luck.
    if (this.unsettled) await this.settle();
    const wr = recvWr(end, this.received++, step);
    const { srq, qp, verbs } = end;
    const post = async (): Promise<void> =>
      srq === undefined ? verbs.post_recv(qp, wr) : verbs.post_srq_recv(srq, wr);
    if (end !== this.dut) return post();
    // in the error state the WQE comes back at once, and that takes its time as well
    this.activity = this.session.bench.clock.now();
    await this.recorder.attempt(
      qp,
      post,
      srq === undefined ? { call: 'post_recv', qp, wr } : { call: 'post_srq_recv', srq, wr },
    );
  }

  private async postSend(step: Extract<Step, { do: 'post_send' }>): Promise<void> {
    const end = this.scenario.dut === 'requester' ? this.dutEnd : this.peer;
    if (end === undefined) return;
    const wr = sendWr(end, this.posted.count++, step.wr, this.targets);
    if (step.wr.signaled) this.posted.signaled++;
    this.touch();
    const post = async (): Promise<void> => end.verbs.post_send(end.qp, wr);
    if (end === this.dut) await this.recorder.attempt(end.qp, post, { call: 'post_send', qp: end.qp, wr });
    else await post().catch(ignoreRefusal);
  }

  private async modify(step: Extract<Step, { do: 'modify_qp' }>): Promise<void> {
    const end = step.at === this.scenario.dut ? this.dutEnd : this.peer;
    if (end === undefined) return;
    if (this.unsettled) await this.settle();
    const { bench } = this.session;
    const atDut = end === this.dut;
    const farRole: Role = step.at === 'requester' ? 'responder' : 'requester';
    const far = {
      endpoint: atDut ? bench.peer : bench.dut,
      qpNum: atDut ? this.peerQp : this.dutEnd.qpNum,
      plan: this.scenario[farRole],
    };
    // From SQD a QP goes back to RTS by its state alone.
    const fromSqd = step.state === 'IBV_QPS_RTS' && this.states.get(end) === 'IBV_QPS_SQD';
    const attr = fromSqd
      ? { qp_state: step.state }
      : attributesFor(step.state, end, this.scenario, far, atDut ? bench.dut : bench.peer);
    this.touch();
    const modify = async (): Promise<void> => end.verbs.modify_qp(end.qp, attr);
    if (!atDut) {
      await modify().catch(ignoreRefusal);
      return;
    }
    const done = await this.recorder.attempt(end.qp, modify, { call: 'modify_qp', qp: end.qp, attr });
    if (!done) return;
    this.states.set(end, step.state);
    if (step.state === 'IBV_QPS_RTR') this.tracker.next = this.scenario.requester.startPsn;
  }

  private readonly states = new Map<End, string>();

  private async deregister(region: number): Promise<void> {
    const end = this.scenario.dut === 'responder' ? this.dutEnd : this.peer;
    const mr = end?.regions[region]?.mr;
    if (end === undefined || mr === undefined || end.deregistered.has(region)) return;
    if (this.unsettled) await this.settle();
    const dereg = async (): Promise<void> => end.verbs.dereg_mr(mr);
    if (end !== this.dut) await dereg();
    else if (!(await this.recorder.attempt(end.qp, dereg, { call: 'dereg_mr', mr }))) return;
    end.deregistered.add(region);
  }

  private touch(): void {
    this.activity = this.session.bench.clock.now();
    this.unsettled = true;
  }

  private toWire(frame: Uint8Array): void {
    this.sent.push(frame);
    if (this.wire !== undefined) this.wire.send(this.toDut, frame);
    else this.reachDut(frame);
  }

  private reachDut(frame: Uint8Array): void {
    this.touch();
    this.recorder.frame('to-dut', frame);
    this.session.wire.send(frame);
  }

  private async settle(): Promise<void> {
    const { bench, stall } = this.session;
    const { clock } = bench;
    for (let round = 0; ; round++) {
      const trouble = await settle({
        clock,
        responseTime: bench.profile.responseTime,
        stall,
        lastActivity: () => this.activity,
        drain: () => this.drain(),
      });
      if (trouble !== undefined) {
        this.recorder.push({ kind: 'gap', t: this.recorder.stamp(), reason: trouble });
        break;
      }
      if (this.wire?.pending === true) {
        this.wire.flush();
        if (round < settleRounds[clock.kind]) continue;
      }
      if (!(await this.liveWorkLeft()) || round >= settleRounds[clock.kind]) break;
      const quiet = quietRounds(clock, bench.profile.responseTime, settleRounds[clock.kind] - round - 1);
      if (quiet > 0) await clock.sleep(quiet * bench.profile.responseTime);
      round += quiet;
    }
    this.unsettled = false;
    this.recorder.push({ kind: 'settled', t: this.recorder.stamp() });
  }

  /** Work requests of a live requester that may still complete. */
  private async liveWorkLeft(): Promise<boolean> {
    if (this.peer === undefined) return false;
    for (;;) {
      const more = await this.peer.verbs.poll_cq(this.peer.cq, 32);
      this.peerCompletions.push(...more);
      if (more.length === 0) break;
    }
    if (this.scenario.dut === 'requester') return false;
    const failed = this.peerCompletions.some((wc) => wc.status !== 'IBV_WC_SUCCESS');
    return !failed && this.peerCompletions.length < this.posted.signaled;
  }

  private async drain(): Promise<number> {
    const end = this.dutEnd;
    let count = 0;
    for (;;) {
      const completions = await end.verbs.poll_cq(end.cq, 32);
      for (const wc of completions) {
        this.recorder.push({ kind: 'completion', t: this.recorder.stamp(), cq: end.cq, wc });
      }
      count += completions.length;
      if (completions.length < 32) return count;
    }
  }

  private async readBack(): Promise<void> {
    const end = this.dutEnd;
    const read = async (mr: number, length: number): Promise<void> => {
      const bytes = await end.verbs.read_memory(mr, 0, length);
      this.recorder.push({ kind: 'memory', t: this.recorder.stamp(), mr, offset: 0, bytes });
    };
    for (const [i, region] of end.regions.entries()) {
      const length = this.scenario.regions[i]?.length ?? 0;
      if (!end.deregistered.has(i) && length > 0) await read(region.mr, length);
    }
    if (end.buffers !== undefined && end.role === 'responder') await read(end.buffers.mr, end.buffers.length);
    const { qp, verbs } = end;
    await this.recorder.call(
      () => verbs.query_qp(qp),
      (attr) => ({ call: 'query_qp', qp, attr }),
    );
  }

  private async tearDown(): Promise<void> {
    // A virtual bench is thrown away with everything in it.
    if (this.session.bench.clock.kind === 'virtual') return;
    if (this.dut !== undefined) await destroyEnd(this.dut);
    if (this.peer !== undefined) await destroyEnd(this.peer);
  }
}

/** Rounds of a response time in which no timer of a virtual clock fires, so that they need not be gone through. */
function quietRounds(clock: Clock, responseTime: number, most: number): number {
  if (clock.nextTimer === undefined) return 0;
  const due = clock.nextTimer();
  return due === undefined ? most : Math.min(most, Math.ceil((due - clock.now()) / responseTime) - 1);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof VerbsError)) throw error;
}
