import type { Verbs } from '../../../adapters/adapter.ts';
import type { QpType, SrqAttr } from '../../../spec/verbs.ts';
import type { QpPlan, Scenario } from '../../scenario.ts';
import { asking } from '../result.ts';
import type { needsOf } from './buffers.ts';
import type { CallWrapper } from './call.ts';
import type { Common } from './common.ts';

type Needs = ReturnType<typeof needsOf>;

/** What CQs, SRQ and QP of one end are made for. */
export interface QueuePlan {
  verbs: Verbs;
  call: CallWrapper;
  scenario: Scenario;
  plan: QpPlan;
  /** of the end of a device under test; `undefined`: it is the peer's */
  common: Common | undefined;
  /** what its work requests need */
  sends: Needs;
  receives: Needs;
}

/** The CQs that the send and the receive queue of an end complete to: one, or two apart. */
export interface Cqs {
  send: number;
  receive: number;
}

/** Bytes of inline data that a QP is asked for where any is sent. */
const mostInline = 64;

const types: Record<'RC' | 'UC' | 'UD', QpType> = {
  RC: 'IBV_QPT_RC',
  UC: 'IBV_QPT_UC',
  UD: 'IBV_QPT_UD',
};

/** Creates the CQs of an end, or takes those that are common. */
export async function makeCqs(queues: QueuePlan): Promise<Cqs> {
  const { scenario, common } = queues;
  const send = await (common?.objects.cq ?? once)(() => makeCq(queues));
  const apart = common !== undefined && scenario.cqs === 'apart';
  const receive = apart ? await (common.objects.secondCq ?? once)(() => makeCq(queues)) : send;
  return { send, receive };
}

async function makeCq({ verbs, call, scenario, common, sends, receives }: QueuePlan): Promise<number> {
  const own = 2 * Math.max(1, sends.length + receives.length) + 4;
  const asked = common?.objects.entries ?? (common && scenario.cqe) ?? own;
  let told: number | undefined;
  return call(
    async () => {
      const cq = await asking({ cqe: asked }, () => verbs.create_cq({ cqe: asked }));
      // a device may make more room than it was asked for, which matters where it is to run out
      if (scenario.cqe !== undefined) told = await verbs.cq_size?.(cq);
      return cq;
    },
    (cq) => ({ call: 'create_cq', cq, cqe: told ?? asked, ...(told !== undefined && { asked }) }),
  );
}

/** Creates the SRQ of an end, or takes the one that is common. */
export async function makeSrq({ verbs, call, common, ...queues }: QueuePlan, pd: number): Promise<number> {
  const { max_recv_wr, max_recv_sge } = roomOf(queues);
  const needed = common?.objects.room ?? { wqes: max_recv_wr, sges: max_recv_sge };
  const wanted = { max_wr: needed.wqes, max_sge: needed.sges };
  let room: SrqAttr | undefined;
  const make = async (): Promise<number> =>
    call(
      async () => {
        const srq = await asking(wanted, () => verbs.create_srq({ pd, ...wanted }));
        if (queues.plan.maxRecvWr !== undefined) room = await verbs.query_srq?.(srq);
        return srq;
      },
      (srq) => ({
        call: 'create_srq',
        srq,
        pd,
        ...wanted,
        ...(room && { max_wr: room.max_wr, max_sge: room.max_sge, asked: wanted }),
      }),
    );
  return (common?.objects.srq ?? once)(make);
}

/** Creates the QP of an end. It is in RESET. */
export async function makeQp(
  { verbs, call, scenario, ...queues }: QueuePlan,
  pd: number,
  cqs: Cqs,
  srq: number | undefined,
): Promise<{ qp: number; qp_num: number }> {
  const inline = scenario.steps.some((step) => step.do === 'post_send' && step.wr.inline === true);
  const max = { ...roomOf(queues), ...(inline && { max_inline_data: mostInline }) };
  const fixed = {
    pd,
    qp_type: types[scenario.service ?? 'RC'],
    send_cq: cqs.send,
    recv_cq: cqs.receive,
    ...(srq !== undefined && { srq }),
    ...(queues.plan.sqSigAll === true && { sq_sig_all: true }),
    ...(scenario.ooo === true && { ooo: true }),
  };
  return call(
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
}

/** The room that the work requests of an end need in its queues. */
function roomOf({ plan, sends, receives }: Pick<QueuePlan, 'plan' | 'sends' | 'receives'>): {
  max_send_wr: number;
  max_recv_wr: number;
  max_send_sge: number;
  max_recv_sge: number;
} {
  const most = (needs: Needs): number =>
    plan.maxSge ?? needs.reduce((sges, need) => Math.max(sges, need.sges * need.repeat), 1);
  return {
    max_send_wr: plan.maxSendWr ?? Math.max(1, sends.length),
    max_recv_wr: plan.maxRecvWr ?? Math.max(1, receives.length),
    max_send_sge: most(sends),
    max_recv_sge: most(receives),
  };
}

/** Where nothing is common, each end makes its own. */
export async function once(make: () => Promise<number>): Promise<number> {
  return make();
}
