import { FaultWire, type Direction } from '../../adapters/fault-wire/index.ts';
import type { PathSwitch } from '../../adapters/switch/index.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Scenario, Step } from '../scenario.ts';
import { attributesFor, qkeyOf } from './setup/attributes.ts';
import { craft } from './packets/craft.ts';
import type { Completions } from './completions.ts';
import { ask, changeGid, changeLink, modifySrq, queries } from './device-calls.ts';
import { destroy } from './destruction.ts';
import type { Buffers } from './setup/buffers.ts';
import type { End } from './setup/end.ts';
import { Parties } from './setup/parties.ts';
import { sleepFor, waitUntil } from './patience.ts';
import { switchOnPath } from './packets/path.ts';
import { refusalOf, type Recorder } from './recorder.ts';
import { respond } from './packets/respond.ts';
import { Rest } from './rest.ts';
import { inventedRegions, Script } from './script.ts';
import type { BenchSession } from './session.ts';
import type { Surroundings } from './surroundings.ts';
import { PsnTracker } from './tracker.ts';
import { endOf, inTurn, listBehind, type PostRecv, type PostSend, type PostStep } from './post-list.ts';
import { beforePost, overwrite, recvWr, sendWr } from './work.ts';

/** One scenario of a run: its QP of the DUT, the far end, and the steps of both. */
export class Member {
  readonly scenario: Scenario;
  readonly parties: Parties;
  readonly rest: Rest;
  readonly wire: FaultWire | undefined;
  path: PathSwitch | undefined;
  linkDown = false;
  gidAdded = false;
  private readonly session: BenchSession;
  private readonly recorder: Recorder;
  private readonly completions: Completions;
  private readonly drain: () => Promise<number>;
  private readonly rests: readonly Rest[];
  private readonly tracker: PsnTracker;
  /** of a DUT as requester */
  private readonly script: Script;
  private readonly toDut: Direction;
  private readonly fromDutDirection: Direction;
  private readonly sent: Uint8Array[] = [];
  private readonly states = new Map<End, string>();
  private readonly invented: End['regions'];
  private ordinal: number;
  private next = 0;
  /** looks again whether what a step waits for has come */
  private look: (() => void) | undefined;

  constructor(scenario: Scenario, surroundings: Surroundings) {
    const { session, recorder, completions, common, drain, breathe, rests } = surroundings;
    this.session = session;
    this.scenario = scenario;
    this.recorder = recorder;
    this.completions = completions;
    this.drain = drain;
    this.rests = rests;
    // payloads of two scenarios differ
    this.ordinal = 37 * common.number;
    this.parties = new Parties(session, scenario, recorder, common);
    this.tracker = new PsnTracker(this.firstPsn, scenario.service);
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
            deliver: this.carry.bind(this),
            told: (way, packet, fate) => this.recorder.mark(way === this.toDut, packet, fate),
          });
    const { bench, stall } = session;
    this.rest = new Rest({
      clock: bench.clock,
      profile: bench.profile,
      stall,
      failure: bench.failure,
      wire: this.wire,
      path: () => this.path,
      recorder,
      script: this.script,
      drain,
      breathe,
      peer: () => (scenario.dut === 'responder' && !this.toItself ? this.parties.peer : undefined),
      unseenWork: () => this.toItself && completions.left,
      all: rests,
    });
    rests.push(this.rest);
  }

  /** Its time begins. */
  begin(): void {
    this.path = switchOnPath(this.session, this.scenario, this.recorder, (frame) => {
      this.arrive('to-responder', frame);
    });
  }

  /** No steps are left. */
  get done(): boolean {
    return this.next >= this.scenario.steps.length;
  }

  /** Takes the next step; gives what it has to wait for. */
  proceed(): Promise<void> | undefined {
    const step = this.scenario.steps[this.next++];
    return step === undefined ? undefined : this.step(step);
  }

  fromDut(packet: Packet, time: number): void {
    if (this.toItself) {
      // Where its packets to itself do leave the port, they come back as from a switch.
      this.session.wire?.send(packet.frame);
      return;
    }
    if (this.scenario.dut === 'responder') this.rest.active();
    else this.rest.requested();
    this.recorder.packet('from-dut', packet, time);
    if (this.scenario.dut === 'responder') this.tracker.seen(packet);
    this.script.seen(packet);
    if (this.wire !== undefined) this.wire.send(this.fromDutDirection, packet.frame);
    else this.carry(this.fromDutDirection, packet.frame);
    this.look?.();
  }

  fromPeer(frame: Uint8Array): void {
    this.toWire(frame);
  }

  /** Ends what it keeps running. */
  close(): void {
    this.wire?.close();
    this.path?.close();
  }

  /** The DUT talks to itself, and nobody sees its packets. */
  private get toItself(): boolean {
    return this.scenario.peer === 'same-device';
  }

  /** PSN that the DUT's peer begins with. */
  private get firstPsn(): number {
    const { dut, requester, responder } = this.scenario;
    return (dut === 'responder' ? requester : responder).startPsn;
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
          destQp: this.parties.dut.qpNum,
          srcQp: this.parties.sourceOf(step.packet),
          qkey: qkeyOf(scenario[scenario.dut]),
          regions: this.targets,
          next: tracker.next,
          ordinal: this.ordinal++,
        });
        if (made.psns > 0) tracker.sent(made.psn, made.psns, made.begins);
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
        this.toWire(respond(step.packet, { scenario, script, dut, peer, destQp: this.parties.dut.qpNum }));
        return undefined;
      }
      case 'await':
        return this.awaitPackets(step);
      case 'finish':
        return this.finish(step.us);
      case 'settle':
        return this.rest.settle();
      case 'sleep':
        return this.sleep(step.us);
      case 'post_recv':
        return this.postRecv([step, ...this.linkedTo(step)]);
      case 'post_send':
        return this.postSend([step, ...this.linkedTo(step)]);
      case 'modify_qp':
        return this.modify(step);
      case 'query_qp':
      case 'query_device':
      case 'query_srq':
      case 'query_port':
      case 'query_gid':
        return queries[step.do](this.parties.dut, this.recorder);
      case 'req_notify_cq':
      case 'resize_cq':
      case 'reg_mr':
        return ask(this.parties.dut, step, this.recorder);
      case 'dereg_mr':
        return this.deregister(step);
      case 'destroy':
        return this.disturb(async () => destroy(this.parties.dut, step, this.recorder));
      case 'modify_srq':
        return this.disturb(async () => modifySrq(this.parties.dut, step, this.recorder));
      case 'link':
        this.linkDown = !step.up;
        return this.disturb(async () => changeLink(this.session.bench, step.up, this.recorder));
      case 'gid':
        // a second time it would be no change, and some systems refuse it
        if (this.gidAdded === step.present) return undefined;
        this.gidAdded = step.present;
        return this.disturb(async () => changeGid(this.session.bench, step.present, this.recorder));
      case 'write_buffer':
        return overwrite(this.parties.dut, step, this.recorder);
    }
  }

  /** Regions that requests aim at, wherever they live. */
  private get targets(): End['regions'] {
    return this.parties.of('responder')?.regions ?? (this.scenario.peer === 'scripted' ? this.invented : []);
  }

  private async awaitPackets({ packets, us }: Extract<Step, { do: 'await' }>): Promise<void> {
    const came = await this.wait(us, async () => {
      await this.drainForOthers();
      return this.script.arrived(packets);
    });
    this.script.taken(came ? packets : undefined);
  }

  private async sleep(us: number): Promise<void> {
    if (this.alone) return sleepFor(this.session.bench.clock, us * 1000, this.rest.breathe);
    await this.wait(us, async () => {
      await this.drain();
      return false;
    });
  }

  /** No other scenario is on the device. */
  private get alone(): boolean {
    return this.rests.length === 1;
  }

  /** While one waits, others complete: what they did is to stand in the trace where it came. */
  private async drainForOthers(): Promise<void> {
    if (!this.alone) await this.drain();
  }

  private async finish(us: number): Promise<void> {
    await this.wait(us, async () => {
      await this.drain();
      return this.completions.done(this.parties.dut);
    });
  }

  private wait(us: number, done: () => boolean | Promise<boolean>): Promise<boolean> {
    const wake = (look: (() => void) | undefined): void => void (this.look = look);
    return waitUntil(this.session.bench.clock, us * 1000, done, wake, this.rest.breathe);
  }

  /** Takes the steps that are in one list with this one, which the device posts in one call. */
  private linkedTo<S extends PostStep>(first: S): S[] {
    const rest = listBehind(first, this.scenario.steps.slice(this.next));
    const end = rest.length === 0 ? undefined : this.parties.of(endOf(first));
    if (end?.ofDut !== true || !this.session.bench.profile.capabilities.includes('wr-lists')) return [];
    this.next += rest.length;
    return rest;
  }

  private async postRecv(steps: readonly [PostRecv, ...PostRecv[]]): Promise<void> {
    const end = this.parties.of(endOf(steps[0]));
    if (end === undefined) return;
    // Whether a packet still on its way meets this WQE would be a matter of luck.
    if (this.rest.unsettled && end.ofDut && !steps.every(({ midway }) => midway === true))
      await this.rest.settle();
    const { srq, qp, verbs } = end;
    const [wr, ...next] = await inTurn(steps, async (step) => {
      const n = end.posted.receive++;
      await this.prepare(end, end.receives, n);
      return recvWr(end, n, step);
    });
    const post = async (): Promise<void> =>
      srq === undefined ? verbs.post_recv(qp, wr, next) : verbs.post_srq_recv(srq, wr, next);
    if (!end.ofDut) return void (await refusalOf(post));
    // in the error state the WQE comes back at once, and that takes its time as well
    this.rest.active();
    await this.recorder.attemptList(
      qp,
      post,
      [wr, ...next].map((one) =>
        srq === undefined ? { call: 'post_recv', qp, wr: one } : { call: 'post_srq_recv', srq, wr: one },
      ),
    );
  }

  /** Takes away the memory that a work request is to miss. */
  private async prepare(end: End, buffers: Buffers, n: number): Promise<void> {
    if (end.ofDut && buffers.faults[n] === 'deregistered' && this.rest.anyUnsettled) await this.rest.settle();
    await beforePost(end, buffers, n, this.recorder);
  }

  private async postSend(steps: readonly [PostSend, ...PostSend[]]): Promise<void> {
    const end = this.parties.of(endOf(steps[0]));
    if (end === undefined) return;
    const { qp, verbs } = end;
    const [wr, ...next] = await inTurn(steps, async (step) => {
      const n = end.posted.send++;
      await this.prepare(end, end.sends, n);
      return sendWr(end, n, step.wr, this.parties.aimOf(end, this.targets));
    });
    this.rest.touch();
    const post = async (): Promise<void> => verbs.post_send(qp, wr, next);
    if (!end.ofDut) {
      if (steps[0].wr.signaled) this.rest.peerWork++;
      return void (await refusalOf(post));
    }
    // Packets of the DUT may be seen before the call returns.
    const asRequester = end.role === 'requester';
    if (asRequester) for (const step of steps) this.script.posted(step.wr);
    const posts = [wr, ...next].map((one) => ({ call: 'post_send' as const, qp, wr: one }));
    const taken = await this.recorder.attemptList(qp, post, posts);
    for (const [place, step] of steps.entries()) {
      const posted = posts[place];
      if (posted !== undefined && place < taken) this.completions.due(end, posted.wr.wr_id, step.wr.signaled);
      else if (asRequester) this.script.refused();
    }
  }

  private async modify(step: Extract<Step, { do: 'modify_qp' }>): Promise<void> {
    const end = this.parties.of(step.at);
    if (end === undefined) return;
    if (this.rest.unsettled && step.midway !== true) await this.rest.settle();
    // From SQD a QP goes back to RTS by its state alone.
    const back = step.state === 'IBV_QPS_RTS' && this.states.get(end) === 'IBV_QPS_SQD';
    const { parties, scenario } = this;
    const attr = attributesFor(step, end, scenario, parties.farOf(end), parties.nearOf(end), back);
    this.rest.touch();
    const modify = async (): Promise<void> => end.verbs.modify_qp(end.qp, attr);
    if (!end.ofDut) return void (await refusalOf(modify));
    const done = await this.recorder.attempt(end.qp, modify, { call: 'modify_qp', qp: end.qp, attr });
    if (!done || step.state === undefined) return;
    this.states.set(end, step.state);
    if (step.state === 'IBV_QPS_RTR') this.tracker.next = this.firstPsn;
    if (step.state === 'IBV_QPS_RESET') this.script.restart();
  }

  private async deregister({ region, midway }: Extract<Step, { do: 'dereg_mr' }>): Promise<void> {
    const end = this.parties.of('responder');
    const mr = end?.regions[region]?.mr;
    if (end === undefined || mr === undefined || end.deregistered.has(region)) return;
    if (this.rest.anyUnsettled && midway !== true) await this.rest.settle();
    const dereg = async (): Promise<void> => end.verbs.dereg_mr(mr);
    if (!end.ofDut) await dereg();
    else if (!(await this.recorder.attempt(end.qp, dereg, { call: 'dereg_mr', mr }))) return;
    end.deregistered.add(region);
  }

  /** Does something to the DUT once it is at rest. */
  private async disturb(act: () => Promise<void>): Promise<void> {
    if (this.rest.anyUnsettled) await this.rest.settle();
    this.rest.touch();
    await act();
  }

  private toWire(frame: Uint8Array): void {
    this.sent.push(frame);
    if (this.wire !== undefined) this.wire.send(this.toDut, frame);
    else this.carry(this.toDut, frame);
  }

  /** A frame behind the faults of the wire, on its way to one end: that to the responder may lead through a switch. */
  private carry(direction: Direction, frame: Uint8Array): void {
    if (direction === 'to-responder' && this.path !== undefined) this.path.send(frame);
    else this.arrive(direction, frame);
  }

  private arrive(direction: Direction, frame: Uint8Array): void {
    if (direction === this.toDut) this.reachDut(frame);
    else this.reachPeer(frame);
  }

  private reachDut(frame: Uint8Array): void {
    this.rest.touch();
    if (this.recorder.frame('to-dut', frame)?.info?.kind === 'cnp') this.rest.notified();
    this.session.wire?.send(frame);
  }

  private reachPeer(frame: Uint8Array): void {
    if (this.parties.peer !== undefined) this.session.peerNic().receive(frame);
  }
}
