import { VerbsError } from '../../adapters/adapter.ts';
import { FaultWire, type Direction } from '../../adapters/fault-wire/index.ts';
import type { ReferenceNic } from '../../adapters/reference/index.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Role, Scenario, Step } from '../scenario.ts';
import { attributesFor, type FarEnd } from './attributes.ts';
import { craft } from './craft.ts';
import { Completions } from './completions.ts';
import { createEnd, destroyEnd, type End } from './end.ts';
import { isLive } from './live.ts';
import { waitUntil } from './patience.ts';
import { changeLink, modifySrq, queryDevice, queryPort, queryQp, querySrq } from './device-calls.ts';
import { readBack } from './read-back.ts';
import { Recorder } from './recorder.ts';
import { respond } from './respond.ts';
import { Rest } from './rest.ts';
import { SetupError, type DriveResult } from './result.ts';
import { inventedRegions, Script } from './script.ts';
import type { BenchSession, RunRoutes } from './session.ts';
import { PsnTracker } from './tracker.ts';
import { overwrite, recvWr, sendWr } from './work.ts';

/** One scenario on its way through a bench. */
export class ScenarioRun implements RunRoutes {
  private readonly session: BenchSession;
  private readonly scenario: Scenario;
  private readonly recorder: Recorder;
  private readonly completions: Completions;
  private readonly rest: Rest;
  private readonly wire: FaultWire | undefined;
  private readonly tracker: PsnTracker;
  /** of a DUT as requester */
  private readonly script: Script;
  private readonly toDut: Direction;
  private readonly fromDutDirection: Direction;
  private readonly sent: Uint8Array[] = [];
  private dut: End | undefined;
  private peer: End | undefined;
  private nic: ReferenceNic | undefined;
  private received = 0;
  private posted = 0;
  private ordinal = 0;

  constructor(session: BenchSession, scenario: Scenario) {
    this.session = session;
    this.scenario = scenario;
    this.recorder = new Recorder(session.bench.clock);
    this.completions = new Completions(this.recorder);
    this.tracker = new PsnTracker(scenario.requester.startPsn);
    this.script = new Script(scenario);
    this.invented = inventedRegions(scenario);
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
    const { bench, stall } = session;
    this.rest = new Rest({
      clock: bench.clock,
      responseTime: bench.profile.responseTime,
      stall,
      wire: this.wire,
      recorder: this.recorder,
      script: this.script,
      drain: () => this.completions.drain(this.dutEnd),
      peer: () => (scenario.dut === 'responder' ? this.peer : undefined),
    });
  }

  async run(): Promise<DriveResult> {
    const peerQp = await this.setUp();
    try {
      for (const step of this.scenario.steps) {
        const pending = this.step(step);
        if (pending !== undefined) await pending;
      }
      await this.rest.settle();
      await readBack(this.dutEnd, this.scenario, this.recorder);
    } finally {
      if (this.dut !== undefined) this.session.unroute(peerQp, this.dut.qpNum);
      this.wire?.close();
      await this.tearDown();
    }
    return this.result();
  }

  fromDut(packet: Packet, time: number): void {
    if (this.scenario.dut === 'responder') this.rest.active();
    else this.rest.requested();
    this.recorder.packet('from-dut', packet, time);
    if (this.scenario.dut === 'responder') this.tracker.seen(packet);
    else this.script.seen(packet);
    if (this.wire !== undefined) this.wire.send(this.fromDutDirection, packet.frame);
    else this.nic?.receive(packet.frame);
    this.look?.();
  }

  fromPeer(frame: Uint8Array): void {
    this.toWire(frame);
  }

  malformedFromDut(frame: Uint8Array, time: number): void {
    this.rest.active();
    this.recorder.frame('from-dut', frame, time);
  }

  async(event: AsyncEvent, time: number): void {
    this.rest.active();
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
      throw error instanceof VerbsError ? new SetupError(error, this.result()) : error;
    }
  }

  private peerQp = 0;

  private async connect(
    end: End,
    state: 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS',
    far: FarEnd,
  ): Promise<void> {
    const { bench } = this.session;
    const near = end === this.dut ? bench.dut : bench.peer;
    const attr = attributesFor({ state }, end, this.scenario, far, near);
    if (end !== this.dut) return end.verbs.modify_qp(end.qp, attr);
    const modify = async (): Promise<void> => end.verbs.modify_qp(end.qp, attr);
    if (await this.recorder.attempt(end.qp, modify, { call: 'modify_qp', qp: end.qp, attr })) return;
    const refusal = this.recorder.events.at(-1);
    throw new VerbsError('modify_qp', refusal?.kind === 'call-failed' ? refusal.errno : 0);
  }

  private result(): DriveResult {
    return {
      header: this.session.header,
      events: this.recorder.events,
      peerCompletions: this.rest.peerCompletions,
      faultsMet: this.wire?.faultsMet ?? 0,
    };
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
      case 'respond': {
        const { scenario, script, session } = this;
        const { dut, peer } = session.bench;
        this.toWire(respond(step.packet, { scenario, script, dut, peer, destQp: this.dutEnd.qpNum }));
        return undefined;
      }
      case 'await':
        return this.awaitPackets(step);
      case 'finish':
        return this.finish(step.us);
      case 'settle':
        return this.rest.settle();
      case 'sleep':
        return this.session.bench.clock.sleep(step.us * 1000);
      case 'post_recv':
        return this.postRecv(step);
      case 'post_send':
        return this.postSend(step);
      case 'modify_qp':
        return this.modify(step);
      case 'query_qp':
        return queryQp(this.dutEnd, this.recorder);
      case 'query_device':
        return queryDevice(this.dutEnd, this.recorder);
      case 'dereg_mr':
        return this.deregister(step.region);
      case 'query_srq':
        return querySrq(this.dutEnd, this.recorder);
      case 'query_port':
        return queryPort(this.dutEnd, this.recorder);
      case 'modify_srq':
        return this.disturb(async () => modifySrq(this.dutEnd, step, this.recorder));
      case 'link':
        return this.disturb(async () => changeLink(this.session.bench, step.up, this.recorder));
      case 'write_buffer':
        return overwrite(this.dutEnd, step, this.recorder);
    }
  }

  private get dutEnd(): End {
    if (this.dut === undefined) throw new Error('the scenario has not been set up');
    return this.dut;
  }

  /** Regions that requests aim at, wherever they live. */
  private get targets(): End['regions'] {
    const end = this.scenario.dut === 'responder' ? this.dut : this.peer;
    return end?.regions ?? (this.scenario.peer === 'scripted' ? this.invented : []);
  }

  private async awaitPackets({ packets, us }: Extract<Step, { do: 'await' }>): Promise<void> {
    const { script, session } = this;
    const came = await waitUntil(
      session.bench.clock,
      us * 1000,
      () => script.arrived(packets),
      (look) => {
        this.look = look;
      },
    );
    script.taken(came ? packets : undefined);
  }

  private async finish(us: number): Promise<void> {
    await waitUntil(
      this.session.bench.clock,
      us * 1000,
      async () => {
        await this.completions.drain(this.dutEnd);
        return this.completions.done;
      },
      (look) => {
        this.look = look;
      },
    );
  }

  /** looks again whether what a step waits for has come */
  private look: (() => void) | undefined;
  private readonly invented: End['regions'];

  private async postRecv(step: Extract<Step, { do: 'post_recv' }>): Promise<void> {
    const end = this.scenario.dut === 'responder' ? this.dutEnd : this.peer;
    if (end === undefined) return;
    // Whether a packet still on its way meets this WQE would be a matter of luck.
    if (this.rest.unsettled && end === this.dut) await this.rest.settle();
    const wr = recvWr(end, this.received++, step);
    const { srq, qp, verbs } = end;
    const post = async (): Promise<void> =>
      srq === undefined ? verbs.post_recv(qp, wr) : verbs.post_srq_recv(srq, wr);
    if (end !== this.dut) return post();
    // in the error state the WQE comes back at once, and that takes its time as well
    this.rest.active();
    await this.recorder.attempt(
      qp,
      post,
      srq === undefined ? { call: 'post_recv', qp, wr } : { call: 'post_srq_recv', srq, wr },
    );
  }

  private async postSend(step: Extract<Step, { do: 'post_send' }>): Promise<void> {
    const end = this.scenario.dut === 'requester' ? this.dutEnd : this.peer;
    if (end === undefined) return;
    const wr = sendWr(end, this.posted++, step.wr, this.targets);
    this.rest.touch();
    const post = async (): Promise<void> => end.verbs.post_send(end.qp, wr);
    if (end !== this.dut) {
      if (step.wr.signaled) this.rest.peerWork++;
      await post().catch(ignoreRefusal);
      return;
    }
    // Packets of the DUT may be seen before the call returns.
    this.script.posted(step.wr);
    const done = await this.recorder.attempt(end.qp, post, { call: 'post_send', qp: end.qp, wr });
    if (!done) this.script.refused();
    else this.completions.due(wr.wr_id);
  }

  private async modify(step: Extract<Step, { do: 'modify_qp' }>): Promise<void> {
    const end = step.at === this.scenario.dut ? this.dutEnd : this.peer;
    if (end === undefined) return;
    if (this.rest.unsettled) await this.rest.settle();
    const { bench } = this.session;
    const atDut = end === this.dut;
    const farRole: Role = step.at === 'requester' ? 'responder' : 'requester';
    const far = {
      endpoint: atDut ? bench.peer : bench.dut,
      qpNum: atDut ? this.peerQp : this.dutEnd.qpNum,
      plan: this.scenario[farRole],
    };
    // From SQD a QP goes back to RTS by its state alone.
    const back = step.state === 'IBV_QPS_RTS' && this.states.get(end) === 'IBV_QPS_SQD';
    const attr = attributesFor(step, end, this.scenario, far, atDut ? bench.dut : bench.peer, back);
    this.rest.touch();
    const modify = async (): Promise<void> => end.verbs.modify_qp(end.qp, attr);
    if (!atDut) {
      await modify().catch(ignoreRefusal);
      return;
    }
    const done = await this.recorder.attempt(end.qp, modify, { call: 'modify_qp', qp: end.qp, attr });
    if (!done) return;
    if (step.state === undefined) return;
    this.states.set(end, step.state);
    if (step.state === 'IBV_QPS_RTR') this.tracker.next = this.scenario.requester.startPsn;
    if (step.state === 'IBV_QPS_RESET') this.script.restart();
  }

  private readonly states = new Map<End, string>();

  private async deregister(region: number): Promise<void> {
    const end = this.scenario.dut === 'responder' ? this.dutEnd : this.peer;
    const mr = end?.regions[region]?.mr;
    if (end === undefined || mr === undefined || end.deregistered.has(region)) return;
    if (this.rest.unsettled) await this.rest.settle();
    const dereg = async (): Promise<void> => end.verbs.dereg_mr(mr);
    if (end !== this.dut) await dereg();
    else if (!(await this.recorder.attempt(end.qp, dereg, { call: 'dereg_mr', mr }))) return;
    end.deregistered.add(region);
  }

  /** Does something to the DUT once it is at rest. */
  private async disturb(act: () => Promise<void>): Promise<void> {
    if (this.rest.unsettled) await this.rest.settle();
    this.rest.touch();
    await act();
  }

  private toWire(frame: Uint8Array): void {
    this.sent.push(frame);
    if (this.wire !== undefined) this.wire.send(this.toDut, frame);
    else this.reachDut(frame);
  }

  private reachDut(frame: Uint8Array): void {
    this.rest.touch();
    this.recorder.frame('to-dut', frame);
    this.session.wire.send(frame);
  }

  private async tearDown(): Promise<void> {
    // A virtual bench is thrown away with everything in it.
    if (this.session.bench.clock.kind === 'virtual') return;
    if (this.dut !== undefined) await destroyEnd(this.dut);
    if (this.peer !== undefined) await destroyEnd(this.peer);
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof VerbsError)) throw error;
}
