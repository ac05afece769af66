import type { RegisteredMr, Verbs } from '../../../adapters/adapter.ts';
import type { MwType, QpType, SrqAttr } from '../../../spec/verbs.ts';
import type { QpPlan, Role, Scenario } from '../../scenario.ts';
import { fill, makeBuffers, needsOf, register, type Buffers, type Registrar } from './buffers.ts';
import { asking } from '../result.ts';
import type { CallWrapper } from './call.ts';
import { fillBytes } from './fill.ts';
import type { Common } from './common.ts';

/** A memory window that a step has asked for; `rkey`: the key that it has, or is to have; `former`: the one before. */
export interface Window {
  readonly mw: number;
  readonly type: MwType;
  rkey: number;
  former: number;
  gone: boolean;
}

/** The objects that one end of a scenario has at its device. */
export interface End {
  verbs: Verbs;
  role: Role;
  /** it belongs to the device under test */
  ofDut: boolean;
  plan: QpPlan;
  pds: number[];
  /** CQs of its QP; those that the send and the receive queue complete to are the first and the last */
  cqs: number[];
  sendCq: number;
  srq: number | undefined;
  qp: number;
  qpNum: number;
  /** responder: what requests aim at, by index of the plan */
  regions: RegisteredMr[];
  deregistered: Set<number>;
  /** regions of which ibv_rereg_mr was refused, and lengths of those that it has moved */
  doubtful: Set<number>;
  lengths: Map<number, number>;
  /** regions as they were before they were changed, by index */
  former: Map<number, RegisteredMr>;
  /** a step has destroyed its QP */
  gone: boolean;
  /** those that steps have asked for besides */
  extraRegions: number[];
  windows: Window[];
  /** memory of its work requests */
  sends: Buffers;
  receives: Buffers;
  /** work requests posted so far */
  posted: { send: number; receive: number };
  /** added to the ids of its work requests, so that no two QPs of a scenario have the same */
  firstId: number;
  /** UD: address handles, by `handleOf` */
  handles: Map<string, number>;
}

/** Bytes of inline data that a QP is asked for where any is sent. */
const mostInline = 64;

const types: Record<'RC' | 'UC' | 'UD', QpType> = {
  RC: 'IBV_QPT_RC',
  UC: 'IBV_QPT_UC',
  UD: 'IBV_QPT_UD',
};

/** Ids of the work requests of one scenario are below this. */
const mostIds = 0x10000;

/** Added to ids that are to take more than 32 bits; JSON has 53. */
const wide = 0x15_5a5a_0000_0000;

/** Creates PDs, regions, buffers, CQs, SRQ and QP of one end, or takes those that are `common`. The QP is left in RESET. */
export async function createEnd(
  verbs: Verbs,
  role: Role,
  scenario: Scenario,
  call: CallWrapper,
  common: Common | undefined,
): Promise<End> {
  const ofDut = common !== undefined;
  const number = common?.number ?? 0;
  const plan = scenario[role];
  // of the SRQ, and of the memory of receives
  const receivePd = await (common?.objects.pd ?? once)(async () => verbs.alloc_pd());
  const pd = plan.ownDomain === true ? await verbs.alloc_pd() : receivePd;
  const pds = pd === receivePd ? [pd] : [pd, receivePd];
  const foreignPd = async (): Promise<number> => {
    if (pds.length === 1) pds.push(await verbs.alloc_pd());
    return pds[1] ?? pd;
  };
  const registrar: Registrar = {
    verbs,
    call,
    pd,
    foreignPd,
    lastByte: plan.lastByte,
    firstByte: plan.firstByte,
  };
  const regions = role === 'responder' ? await makeRegions(scenario, registrar) : [];
  const sendNeeds = needsOf(scenario, role, 'send');
  const receiveNeeds = needsOf(scenario, role, 'receive');
  const sends = await makeBuffers(sendNeeds, registrar, 0x77 + 101 * number);
  const ofReceives: Registrar =
    pd === receivePd ? registrar : { ...registrar, pd: receivePd, foreignPd: async () => pd };
  const receives = await makeBuffers(receiveNeeds, ofReceives, undefined);
  const count = Math.max(1, sendNeeds.length + receiveNeeds.length);
  const cqe = (ofDut ? scenario.cqe : undefined) ?? 2 * count + 4;
  const makeCq = async (): Promise<number> => {
    const asked = common?.objects.entries ?? cqe;
    let told: number | undefined;
    return call(
      async () => {
        const handle = await asking({ cqe: asked }, () => verbs.create_cq({ cqe: asked }));
        // a device may make more room than it was asked for, which matters where it is to run out
        if (scenario.cqe !== undefined) told = await verbs.cq_size?.(handle);
        return handle;
      },
      (handle) => ({
        call: 'create_cq',
        cq: handle,
        cqe: told ?? asked,
        ...(told !== undefined && { asked }),
      }),
    );
  };
  const sendCq = await (common?.objects.cq ?? once)(makeCq);
  const apart = ofDut && scenario.cqs === 'apart';
  const receiveCq = apart ? await (common.objects.secondCq ?? once)(makeCq) : sendCq;
  const inline = scenario.steps.some((step) => step.do === 'post_send' && step.wr.inline === true);
  const most = (needs: readonly { sges: number; repeat: number }[]): number =>
    plan.maxSge ?? needs.reduce((sges, need) => Math.max(sges, need.sges * need.repeat), 1);
  const max = {
    max_send_wr: plan.maxSendWr ?? Math.max(1, sendNeeds.length),
    max_recv_wr: plan.maxRecvWr ?? Math.max(1, receiveNeeds.length),
    max_send_sge: most(sendNeeds),
    max_recv_sge: most(receiveNeeds),
    ...(inline && { max_inline_data: mostInline }),
  };
  const useSrq = role === 'responder' && scenario.srq;
  const needed = common?.objects.room ?? { wqes: max.max_recv_wr, sges: max.max_recv_sge };
  const wanted = { max_wr: needed.wqes, max_sge: needed.sges };
  let room: SrqAttr | undefined;
  const makeSrq = async (): Promise<number> =>
    call(
      async () => {
        const handle = await asking(wanted, () => verbs.create_srq({ pd: receivePd, ...wanted }));
        if (plan.maxRecvWr !== undefined) room = await verbs.query_srq?.(handle);
        return handle;
      },
      (handle) => ({
        call: 'create_srq',
        srq: handle,
        pd: receivePd,
        ...wanted,
        ...(room && { max_wr: room.max_wr, max_sge: room.max_sge, asked: wanted }),
      }),
    );
  const srq = useSrq ? await (common?.objects.srq ?? once)(makeSrq) : undefined;
  const fixed = {
    pd,
    qp_type: types[scenario.service ?? 'RC'],
    send_cq: sendCq,
    recv_cq: receiveCq,
    ...(srq !== undefined && { srq }),
    ...(plan.sqSigAll === true && { sq_sig_all: true }),
    ...(scenario.ooo === true && { ooo: true }),
  };
  const { qp, qp_num } = await call(
    () => asking(max, () => verbs.create_qp({ ...fixed, cap: max })),
    ({ cap, ...made }) => ({
      call: 'create_qp',
      ...fixed,
      ...max,
      ...cap,
      ...made,
      ...(cap && { asked: max }),
    }),
  );
  return {
    verbs,
    role,
    ofDut,
    plan,
    pds,
    cqs: apart ? [sendCq, receiveCq] : [sendCq],
    sendCq,
    srq,
    qp,
    qpNum: qp_num,
    regions,
    deregistered: new Set(),
    doubtful: new Set(),
    lengths: new Map(),
    former: new Map(),
    gone: false,
    extraRegions: [],
    windows: [],
    sends,
    receives,
    posted: { send: 0, receive: 0 },
    firstId: mostIds * number + (plan.wideIds === true ? wide : 0),
    handles: new Map(),
  };
}

async function makeRegions(scenario: Scenario, registrar: Registrar): Promise<RegisteredMr[]> {
  const regions: RegisteredMr[] = [];
  for (const { length, access, foreignPd, fill: seed, iova } of scenario.regions) {
    const owner = foreignPd === true ? await registrar.foreignPd() : registrar.pd;
    const mr = await register(
      registrar,
      owner,
      length,
      access,
      iova === undefined ? undefined : BigInt(iova),
    );
    regions.push(mr);
    await fill(registrar, mr.mr, fillBytes(seed, length));
  }
  return regions;
}

/** Where nothing is common, each end makes its own. */
async function once(make: () => Promise<number>): Promise<number> {
  return make();
}

/**
 * Gives back everything an end has. Errors are left aside: the device may be in any state by now, and what is common goes with the
 * last end that has it.
 */
export async function destroyEnd(end: End): Promise<void> {
  const { verbs } = end;
  const quietly = async (work: Promise<void> | undefined): Promise<void> => {
    await work?.catch(() => undefined);
  };
  // a window holds on to the QP by which it was bound
  for (const { mw, gone } of end.windows) if (!gone) await quietly(verbs.dealloc_mw?.(mw));
  if (!end.gone) await quietly(verbs.destroy_qp(end.qp));
  for (const ah of end.handles.values()) await quietly(verbs.destroy_ah?.(ah));
  if (end.srq !== undefined) await quietly(verbs.destroy_srq(end.srq));
  for (const cq of end.cqs) await quietly(verbs.destroy_cq(cq));
  for (const mr of end.extraRegions) await quietly(verbs.dereg_mr(mr));
  for (const [i, region] of end.regions.entries()) {
    if (!end.deregistered.has(i)) await quietly(verbs.dereg_mr(region.mr));
  }
  for (const region of [...end.sends.regions, ...end.receives.regions]) {
    if (region.deregistered !== true) await quietly(verbs.dereg_mr(region.mr));
  }
  for (const pd of end.pds) await quietly(verbs.dealloc_pd(pd));
}

/** The PD of the QP of an end, or another, which is made where there is none yet. */
export async function pdOf({ verbs, pds }: End, owner: 'own' | 'foreign'): Promise<number> {
  const [own = 0] = pds;
  if (owner === 'own') return own;
  if (pds.length === 1) pds.push(await verbs.alloc_pd());
  return pds[1] ?? own;
}
