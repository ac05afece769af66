import type { RegisteredMr, Verbs } from '../../../adapters/adapter.ts';
import type { Role, Scenario } from '../../scenario.ts';
import { fill, makeBuffers, needsOf, register, type Registrar } from './buffers.ts';
import type { CallWrapper } from './call.ts';
import type { Common } from './common.ts';
import type { End } from './end.ts';
import { fillBytes } from './fill.ts';
import { makeCqs, makeQp, makeSrq, once } from './queues.ts';

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
  const { lastByte, firstByte } = plan;
  const registrar: Registrar = { verbs, call, pd, foreignPd, lastByte, firstByte };
  const regions = role === 'responder' ? await makeRegions(scenario, registrar) : [];
  const needs = {
    sends: needsOf(scenario, role, 'send'),
    receives: needsOf(scenario, role, 'receive'),
  };
  const sends = await makeBuffers(needs.sends, registrar, 0x77 + 101 * number);
  const ofReceives: Registrar =
    pd === receivePd ? registrar : { ...registrar, pd: receivePd, foreignPd: async () => pd };
  const receives = await makeBuffers(needs.receives, ofReceives, undefined);
  const queues = { verbs, call, scenario, plan, common, ...needs };
  const cqs = await makeCqs(queues);
  const srq = role === 'responder' && scenario.srq ? await makeSrq(queues, receivePd) : undefined;
  const { qp, qp_num } = await makeQp(queues, pd, cqs, srq);
  return {
    verbs,
    role,
    ofDut: common !== undefined,
    plan,
    pds,
    cqs: cqs.receive === cqs.send ? [cqs.send] : [cqs.send, cqs.receive],
    sendCq: cqs.send,
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
