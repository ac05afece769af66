import type { RegisteredMr, Verbs } from '../../adapters/adapter.ts';
import type { VerbsCall } from '../../oracle/trace.ts';
import type { QpPlan, Role, Scenario } from '../scenario.ts';
import { fillBytes } from './fill.ts';

/** Runs a verbs call and, at the DUT's end, notes it. */
export type CallWrapper = <T>(make: () => Promise<T>, noted: (result: T) => VerbsCall) => Promise<T>;

/** The objects that one end of a scenario has at its device. */
export interface End {
  verbs: Verbs;
  role: Role;
  plan: QpPlan;
  pds: number[];
  cq: number;
  srq: number | undefined;
  qp: number;
  qpNum: number;
  /** responder: what requests aim at, by index of the plan; `undefined` once deregistered */
  regions: RegisteredMr[];
  deregistered: Set<number>;
  /** responder: buffers of all receive WQEs; requester: buffers of all send WQEs, one behind the other */
  buffers: (RegisteredMr & { length: number }) | undefined;
  /** bytes of each work request that the end posts, in order, and where they begin in `buffers` */
  work: { lengths: number[]; offsets: number[] };
}

/** Bytes of inline data that a QP is asked for where any is sent. */
const mostInline = 64;

/** Creates PDs, regions, buffers, CQ, SRQ and QP of one end. The QP is left in RESET. */
export async function createEnd(
  verbs: Verbs,
  role: Role,
  scenario: Scenario,
  call: CallWrapper,
): Promise<End> {
  const pd = await verbs.alloc_pd();
  const pds = [pd];
  const plans = role === 'responder' ? scenario.regions : [];
  const regions: RegisteredMr[] = [];
  for (const plan of plans) {
    if (plan.foreignPd === true && pds.length === 1) pds.push(await verbs.alloc_pd());
    const owner = plan.foreignPd === true ? (pds[1] ?? pd) : pd;
    const { length, access } = plan;
    const mr = await register(verbs, owner, length, access, call);
    regions.push(mr);
    await fill(verbs, mr.mr, fillBytes(plan.fill, length), call);
  }
  const work = workOf(scenario, role);
  const { bytes } = work;
  const buffers =
    bytes === 0
      ? undefined
      : { ...(await register(verbs, pd, bytes, ['IBV_ACCESS_LOCAL_WRITE'], call)), length: bytes };
  if (buffers !== undefined && role === 'requester') {
    await fill(verbs, buffers.mr, fillBytes(0x77, bytes), call);
  }
  const count = Math.max(1, work.lengths.length);
  const cq = await verbs.create_cq({ cqe: 2 * count + 4 });
  const inline = scenario.steps.some((step) => step.do === 'post_send' && step.wr.inline === true);
  const max = {
    max_send_wr: role === 'requester' ? count : 1,
    max_recv_wr: role === 'responder' ? count : 1,
  };
  const useSrq = role === 'responder' && scenario.srq;
  const srq = useSrq
    ? await call(
        () => verbs.create_srq({ pd, max_wr: count, max_sge: 1 }),
        (handle) => ({ call: 'create_srq', pd, srq: handle, max_wr: count }),
      )
    : undefined;
  const common = {
    pd,
    qp_type: 'IBV_QPT_RC' as const,
    send_cq: cq,
    recv_cq: cq,
    ...(srq !== undefined && { srq }),
  };
  const { qp, qp_num } = await call(
    () =>
      verbs.create_qp({
        ...common,
        cap: { ...max, max_send_sge: 1, max_recv_sge: 1, ...(inline && { max_inline_data: mostInline }) },
      }),
    (made) => ({ call: 'create_qp', ...common, ...made, ...max }),
  );
  return {
    verbs,
    role,
    plan: scenario[role],
    pds,
    cq,
    srq,
    qp,
    qpNum: qp_num,
    regions,
    deregistered: new Set(),
    buffers,
    work,
  };
}

async function register(
  verbs: Verbs,
  pd: number,
  length: number,
  access: QpPlan['access'],
  call: CallWrapper,
): Promise<RegisteredMr> {
  return call(
    () => verbs.reg_mr({ pd, length, access }),
    (mr) => ({ call: 'reg_mr', pd, length, access, ...mr }),
  );
}

async function fill(verbs: Verbs, mr: number, bytes: Uint8Array, call: CallWrapper): Promise<void> {
  await call(
    () => verbs.write_memory(mr, 0, bytes),
    () => ({ call: 'write_memory', mr, offset: 0, bytes }),
  );
}

/** Lengths of the work requests that a role posts in a scenario, in order. */
function workOf(scenario: Scenario, role: Role): End['work'] & { bytes: number } {
  const lengths: number[] = [];
  const offsets: number[] = [];
  let bytes = 0;
  for (const step of scenario.steps) {
    const length =
      role === 'responder' && step.do === 'post_recv'
        ? step.length
        : role === 'requester' && step.do === 'post_send'
          ? step.wr.length
          : undefined;
    if (length === undefined) continue;
    lengths.push(length);
    offsets.push(bytes);
    bytes += length;
  }
  return { lengths, offsets, bytes };
}

/** Gives back everything an end has. Errors are left aside: the device may be in any state by now. */
export async function destroyEnd(end: End): Promise<void> {
  const { verbs } = end;
  const quietly = async (work: Promise<void>): Promise<void> => {
    await work.catch(() => undefined);
  };
  await quietly(verbs.destroy_qp(end.qp));
  if (end.srq !== undefined) await quietly(verbs.destroy_srq(end.srq));
  await quietly(verbs.destroy_cq(end.cq));
  for (const [i, region] of end.regions.entries()) {
    if (!end.deregistered.has(i)) await quietly(verbs.dereg_mr(region.mr));
  }
  if (end.buffers !== undefined) await quietly(verbs.dereg_mr(end.buffers.mr));
  for (const pd of end.pds) await quietly(verbs.dealloc_pd(pd));
}
