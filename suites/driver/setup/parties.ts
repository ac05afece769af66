import { VerbsError, type Endpoint } from '../../../adapters/adapter.ts';
import type { PacketPlan, Role, Scenario } from '../../scenario.ts';
import { attributesFor, pathTo, qkeyOf, type FarEnd } from './attributes.ts';
import type { CallWrapper } from './call.ts';
import { handlesOf } from './handles.ts';
import { createEnd } from './create-end.ts';
import { destroyEnd, type End } from './end.ts';
import type { Belongings as Targets, Common } from './common.ts';
import { isLive } from './live.ts';
import type { Recorder } from '../recorder.ts';
import type { Belongings, SharedBench } from '../shared-bench.ts';
import type { Aim } from '../work/requests.ts';

/** The ends of a scenario: that of the DUT, and the far one where it is no list of crafted packets. */
export class Parties {
  /** QP number of the far end */
  peerQp = 0;
  /** of another QP of the far end, which only datagrams come from; 0 where none do */
  secondQp = 0;
  private readonly session: SharedBench;
  private readonly scenario: Scenario;
  private readonly recorder: Recorder;
  private readonly common: Common;
  private own: End | undefined;
  private far: End | undefined;

  constructor(session: SharedBench, scenario: Scenario, recorder: Recorder, common: Common) {
    this.session = session;
    this.common = common;
    this.scenario = scenario;
    this.recorder = recorder;
  }

  /** The end of the DUT that the scenario is about. */
  get dut(): End {
    if (this.own === undefined) throw new Error('the scenario has not been set up');
    return this.own;
  }

  get peer(): End | undefined {
    return this.far;
  }

  /** Both ends of the DUT, where it talks to itself. */
  get ofDut(): End[] {
    return [this.own, this.far].filter((end) => end !== undefined).filter((end) => end.ofDut);
  }

  /** Work requests that the DUT was given so far. */
  get posted(): number {
    return this.ofDut.reduce((sum, { posted }) => sum + posted.send + posted.receive, 0);
  }

  /** The end of a role; `undefined` where crafted packets play it. */
  of(role: Role): End | undefined {
    return role === this.scenario.dut ? this.own : this.far;
  }

  /** What the DUT's end of another scenario has. */
  belongingsOf(number: number): Targets | undefined {
    return this.common.objects.ends.get(number);
  }

  /** QP number that a crafted packet comes from. */
  sourceOf({ source }: PacketPlan): number {
    return source === 'second' ? this.secondQp : this.peerQp;
  }

  /** Creates the objects of both ends. */
  async create(): Promise<void> {
    const { session, scenario, recorder, common } = this;
    const { dut, peer } = scenario;
    const noted: CallWrapper = async (make, call) => recorder.call(make, call);
    this.own = await createEnd(session.bench.verbs, dut, scenario, noted, common);
    common.objects.ends.set(common.number, this.own);
    const far: Role = dut === 'responder' ? 'requester' : 'responder';
    if (peer === 'same-device') {
      this.far = await createEnd(session.bench.verbs, far, scenario, noted, common);
    } else if (isLive(scenario)) {
      this.far = await createEnd(session.peerNic().verbs, far, scenario, async (make) => make(), undefined);
    }
    this.peerQp = this.far?.qpNum ?? session.craftedPeerQp();
    const second = scenario.steps.some((step) => step.do === 'inject' && step.packet.source === 'second');
    if (second) this.secondQp = session.craftedPeerQp();
  }

  /** Brings both ends to RTS; datagrams get their address handles. Throws VerbsError where the DUT refuses. */
  async connect(): Promise<void> {
    for (const state of ['IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'] as const) {
      await this.move(this.dut, state);
      if (this.far !== undefined) await this.move(this.far, state);
    }
    if (this.scenario.service !== 'UD') return;
    await this.resolve(this.dut);
    if (this.far !== undefined) await this.resolve(this.far);
  }

  /** What frames and events tell the run by. */
  get belongings(): Belongings {
    const ends = this.ofDut;
    const dutQps = ends.map((end) => end.qpNum);
    return {
      peerQps: [
        this.peerQp,
        ...(this.secondQp === 0 ? [] : [this.secondQp]),
        ...(ends.length > 1 ? dutQps : []),
      ],
      dutQps,
      cqs: ends.flatMap((end) => end.cqs),
      srqs: ends.flatMap(({ srq }) => (srq === undefined ? [] : [srq])),
    };
  }

  /** The other end as `end` has to know it. */
  farOf(end: End): FarEnd {
    const { bench } = this.session;
    const atDut = end === this.own;
    const role: Role = end.role === 'requester' ? 'responder' : 'requester';
    return {
      endpoint: end.ofDut && this.scenario.peer !== 'same-device' ? bench.peer : bench.dut,
      qpNum: atDut ? this.peerQp : this.dut.qpNum,
      plan: this.scenario[role],
    };
  }

  nearOf(end: End): Endpoint {
    return end.ofDut ? this.session.bench.dut : this.session.bench.peer;
  }

  /** What send WRs of an end are aimed at. */
  aimOf(end: End, regions: Aim['regions']): Aim {
    const { qpNum, plan } = this.farOf(end);
    return { regions, qpNum, qkey: qkeyOf(plan) };
  }

  async destroy(): Promise<void> {
    if (this.own !== undefined) await destroyEnd(this.own);
    if (this.far !== undefined) await destroyEnd(this.far);
  }

  private async move(end: End, state: 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS'): Promise<void> {
    const { recorder } = this;
    const attr = attributesFor({ state }, end, this.scenario, this.farOf(end), this.nearOf(end));
    const modify = async (): Promise<void> => end.verbs.modify_qp(end.qp, attr);
    if (!end.ofDut) return modify();
    if (await recorder.attempt(end.qp, modify, { call: 'modify_qp', qp: end.qp, attr })) return;
    const refusal = recorder.events.at(-1);
    throw new VerbsError('modify_qp', refusal?.kind === 'call-failed' ? refusal.errno : 0);
  }

  /** Makes the address handles that the end's datagrams name. */
  private async resolve(end: End): Promise<void> {
    const { scenario, recorder } = this;
    const { verbs, pds } = end;
    const [pd = 0] = pds;
    const handles = handlesOf(scenario.steps, end.role);
    for (const [key, { way, route = end.plan.route }] of handles) {
      const attr = pathTo(way, scenario.ip, this.farOf(end).endpoint, this.nearOf(end), route);
      const create = async (): Promise<number> => {
        if (verbs.create_ah === undefined)
          throw new Error('datagrams need address handles, and the adapter has no create_ah');
        return verbs.create_ah({ pd, attr });
      };
      const ah = end.ofDut
        ? await recorder.call(create, (handle) => ({ call: 'create_ah', pd, ah: handle, attr }))
        : await create();
      end.handles.set(key, ah);
    }
  }
}
