import type { Scenario, Step } from '../scenario.ts';
import { changeGid, changeLink, modifySrq } from './device-calls.ts';
import { destroy } from './destruction.ts';
import type { ScriptedPeer } from './packets/scripted-peer.ts';
import { refusalOf, type Recorder } from './recorder.ts';
import { reregister } from './reregistration.ts';
import type { Rest } from './rest.ts';
import type { SharedBench } from './shared-bench.ts';
import { attributesFor } from './setup/attributes.ts';
import type { End } from './setup/end.ts';
import type { Parties } from './setup/parties.ts';
import { deallocateWindow } from './windows.ts';

type StepOf<K extends Step['do']> = Extract<Step, { do: K }>;

export interface DisturbanceOptions {
  session: SharedBench;
  scenario: Scenario;
  parties: Parties;
  recorder: Recorder;
  rest: Rest;
  far: ScriptedPeer;
}

/** The steps of one scenario that change what the DUT has: QPs, regions, windows, SRQs, its link and its GIDs. */
export class Disturbances {
  linkDown = false;
  gidAdded = false;
  private readonly options: DisturbanceOptions;
  private readonly states = new Map<End, string>();

  constructor(options: DisturbanceOptions) {
    this.options = options;
  }

  async modifyQp(step: StepOf<'modify_qp'>): Promise<void> {
    const { parties, scenario, rest, recorder, far } = this.options;
    const end = parties.of(step.at);
    if (end === undefined) return;
    if (rest.unsettled && step.midway !== true) await rest.settle();
    // From SQD a QP goes back to RTS by its state alone.
    const back = step.state === 'IBV_QPS_RTS' && this.states.get(end) === 'IBV_QPS_SQD';
    const attr = attributesFor(step, end, scenario, parties.farOf(end), parties.nearOf(end), back);
    rest.touch();
    const modify = async (): Promise<void> => end.verbs.modify_qp(end.qp, attr);
    if (!end.ofDut) return void (await refusalOf(modify));
    const done = await recorder.attempt(end.qp, modify, { call: 'modify_qp', qp: end.qp, attr });
    if (!done || step.state === undefined) return;
    this.states.set(end, step.state);
    far.moved(step.state, step.followed === true ? attr : {});
  }

  async deregister({ region, midway }: StepOf<'dereg_mr'>): Promise<void> {
    const { parties, rest, recorder } = this.options;
    const end = parties.of('responder');
    const mr = end?.regions[region]?.mr;
    if (end === undefined || mr === undefined || end.deregistered.has(region)) return;
    if (rest.anyUnsettled && midway !== true) await rest.settle();
    const dereg = async (): Promise<void> => end.verbs.dereg_mr(mr);
    if (!end.ofDut) await dereg();
    else if (!(await recorder.attempt(end.qp, dereg, { call: 'dereg_mr', mr }))) return;
    end.deregistered.add(region);
  }

  reregister(step: StepOf<'rereg_mr'>): Promise<void> {
    const { parties, recorder } = this.options;
    return this.atRest(async () => reregister(parties.dut, step, recorder), step.midway);
  }

  closeWindow(step: StepOf<'dealloc_mw'>): Promise<void> {
    const { parties, recorder } = this.options;
    return this.atRest(async () => deallocateWindow(parties.dut, step, recorder));
  }

  destroy(step: StepOf<'destroy'>): Promise<void> {
    const { parties, recorder } = this.options;
    return this.atRest(async () => destroy(parties.dut, step, recorder), step.midway);
  }

  modifySrq(step: StepOf<'modify_srq'>): Promise<void> {
    const { parties, recorder } = this.options;
    return this.atRest(async () => modifySrq(parties.dut, step, recorder));
  }

  link({ up, midway }: StepOf<'link'>): Promise<void> {
    const { session, recorder } = this.options;
    this.linkDown = !up;
    return this.atRest(async () => changeLink(session.bench, up, recorder), midway);
  }

  gid({ present }: StepOf<'gid'>): Promise<void> | undefined {
    const { session, recorder } = this.options;
    // a second time it would be no change, and some systems refuse it
    if (this.gidAdded === present) return undefined;
    this.gidAdded = present;
    return this.atRest(async () => changeGid(session.bench, present, recorder));
  }

  private async atRest(act: () => Promise<void>, midway = false): Promise<void> {
    const { rest } = this.options;
    if (rest.anyUnsettled && !midway) await rest.settle();
    rest.touch();
    await act();
  }
}
