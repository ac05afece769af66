import type { Packet } from '../../wire/packet.ts';
import type { Scenario, Step } from '../scenario.ts';
import { ask, queries } from './device-calls.ts';
import { Disturbances } from './disturbances.ts';
import { Cable } from './packets/cable.ts';
import { ScriptedPeer } from './packets/scripted-peer.ts';
import type { Recorder } from './recorder.ts';
import { Rest } from './rest.ts';
import type { SharedBench } from './shared-bench.ts';
import { Parties } from './setup/parties.ts';
import type { Surroundings } from './surroundings.ts';
import { Waits } from './waits.ts';
import { allocateWindow } from './windows.ts';
import { endOf, listBehind, type PostStep } from './work/list.ts';
import { Posts } from './work/posts.ts';
import { overwrite } from './work/requests.ts';

/** One scenario of a run: its QP of the DUT, the far end, and the steps of both. */
export class Member {
  readonly scenario: Scenario;
  readonly parties: Parties;
  readonly rest: Rest;
  readonly disturbances: Disturbances;
  private readonly session: SharedBench;
  private readonly owns: Surroundings['owns'];
  private readonly recorder: Recorder;
  private readonly cable: Cable;
  private readonly far: ScriptedPeer;
  private readonly waits: Waits;
  private readonly posts: Posts;
  private next = 0;

  constructor(scenario: Scenario, surroundings: Surroundings) {
    const { session, recorder, completions, common, drain, breathe, owns, rests } = surroundings;
    const { bench, stall } = session;
    const { clock, profile, failure } = bench;
    this.session = session;
    this.owns = owns;
    this.scenario = scenario;
    this.recorder = recorder;
    const parties = new Parties(session, scenario, recorder, common);
    const cable: Cable = new Cable({
      session,
      scenario,
      recorder,
      reachesDut: (cnp) => this.reachesDut(cnp),
      reachesPeer: (frame) => {
        if (parties.peer !== undefined) session.peerNic().receive(frame);
      },
    });
    const far = new ScriptedPeer({ session, scenario, parties, cable, number: common.number });
    const { script } = far;
    const rest = new Rest({
      clock,
      profile,
      stall,
      failure,
      wire: cable.wire,
      path: () => cable.path,
      recorder,
      script,
      drain,
      breathe,
      peer: () => (scenario.dut === 'responder' && !this.toItself ? parties.peer : undefined),
      unseenWork: () => this.toItself && completions.left,
      giveUp: () => completions.giveUp(),
      all: rests,
    });
    rests.push(rest);
    const completed = (): boolean => completions.done(parties.dut);
    this.parties = parties;
    this.cable = cable;
    this.far = far;
    this.rest = rest;
    this.waits = new Waits({ clock, rest, rests, script, drain, completed });
    this.posts = new Posts({ parties, recorder, completions, rest, far });
    this.disturbances = new Disturbances({ session, scenario, parties, recorder, rest, far });
  }

  /** Its time begins. */
  begin(): void {
    this.cable.begin();
  }

  /** Number of the next step, from 0. */
  get place(): number {
    return this.next;
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
    this.rest.left();
    this.recorder.packet('from-dut', packet, time);
    this.far.seen(packet);
    this.cable.sendFromDut(packet.frame);
    this.waits.look();
  }

  fromPeer(frame: Uint8Array): void {
    this.cable.send(frame);
  }

  /** Ends what it keeps running. */
  close(): void {
    this.cable.close();
  }

  /** The DUT talks to itself, and nobody sees its packets. */
  private get toItself(): boolean {
    return this.scenario.peer === 'same-device';
  }

  /** The QP is destroyed, and the device has given its number to another scenario, which packets to it would disturb. */
  private get numberTaken(): boolean {
    const { dut } = this.parties;
    return dut.gone && !this.owns(dut.qpNum);
  }

  /** What a step has to wait for; `undefined` where it is done at once. */
  private step(step: Step): Promise<void> | undefined {
    const { recorder, parties, cable, far, rest, waits, posts, disturbances } = this;
    switch (step.do) {
      case 'inject':
        return this.numberTaken ? undefined : far.inject(step);
      case 'reinject':
        if (!this.numberTaken) cable.sendAgain(step.back);
        return undefined;
      case 'respond':
        return this.numberTaken ? undefined : far.respond(step);
      case 'await':
        return waits.forPackets(step);
      case 'finish':
        return waits.forCompletion(step.us);
      case 'settle':
        return rest.settle();
      case 'sleep':
        return waits.forTime(step.us);
      case 'post_recv':
        return posts.receive([step, ...this.linkedTo(step)]);
      case 'post_send':
        return posts.send([step, ...this.linkedTo(step)]);
      case 'modify_qp':
        return disturbances.modifyQp(step);
      case 'query_qp':
      case 'query_device':
      case 'query_srq':
      case 'query_port':
      case 'query_gid':
        return queries[step.do](parties.dut, recorder);
      case 'req_notify_cq':
      case 'query_pkey':
      case 'resize_cq':
      case 'reg_mr':
        return ask(parties.dut, step, recorder);
      case 'dereg_mr':
        return disturbances.deregister(step);
      case 'rereg_mr':
        return disturbances.reregister(step);
      case 'alloc_mw':
        return allocateWindow(parties.dut, step, recorder);
      case 'dealloc_mw':
        return disturbances.closeWindow(step);
      case 'destroy':
        return disturbances.destroy(step);
      case 'modify_srq':
        return disturbances.modifySrq(step);
      case 'link':
        return disturbances.link(step);
      case 'gid':
        return disturbances.gid(step);
      case 'write_buffer':
        return overwrite(parties.dut, step, recorder);
    }
  }

  /** Takes the steps that are in one list with this one, which the device posts in one call. */
  private linkedTo<S extends PostStep>(first: S): S[] {
    const rest = listBehind(first, this.scenario.steps.slice(this.next));
    const end = rest.length === 0 ? undefined : this.parties.of(endOf(first));
    if (end?.ofDut !== true || !this.session.bench.profile.capabilities.includes('wr-lists')) return [];
    this.next += rest.length;
    return rest;
  }

  private reachesDut(cnp: boolean): void {
    this.rest.touch();
    if (cnp) this.rest.notified();
  }
}
