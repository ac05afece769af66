import { psnAdd } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { packetsOf } from '../packets-of.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import type { OooRequester, Outgoing } from './state.ts';

/** The request that the next new packet belongs to: the one under way, or the next that may start. */
export function nextOutgoing(core: Core, qp: OooQp): Outgoing | undefined {
  const { outgoing } = qp.ooo.requester;
  const newest = outgoing.at(-1);
  if (newest !== undefined && newest.flights.length < newest.wqe.packets) return newest;
  const wqe = qp.requester.queue[outgoing.length];
  // SQD finishes what has been started and starts nothing.
  if (wqe === undefined || qp.state === 'IBV_QPS_SQD' || held(core, qp, wqe)) return undefined;
  return begin(core, qp, wqe);
}

/** Whether a request has to wait for earlier ones. */
export const held = seam((core: Core, qp: OooQp, wqe: SendWqe): boolean => {
  let open = 0;
  for (const { wqe: earlier } of qp.ooo.requester.outgoing) if (isAnswered(earlier)) open++;
  if (isAnswered(wqe) && open >= (qp.attr.max_rd_atomic ?? 0)) return true;
  const fenced = wqe.wr.send_flags?.includes('IBV_SEND_FENCE') === true;
  return (fenced && fenceHolds(core, qp, open)) || overlapHolds(core, qp, wqe);
});

function isAnswered({ kind }: SendWqe): boolean {
  return kind === 'read' || kind === 'atomic';
}

/** Whether a fence holds a request back while `open` READs and ATOMICs are in front of it. */
export const fenceHolds = seam(({ config }: Core, qp: OooQp, open: number): boolean => {
  const others = config.outOfOrder.fencesAll && qp.ooo.requester.outgoing.length > 0;
  return open > 0 || others;
});

/** What is left of an older request might meet a newer one that touches the same memory. */
export const overlapHolds = seam(({ config }: Core, qp: OooQp, wqe: SendWqe): boolean => {
  const { outgoing } = qp.ooo.requester;
  return config.outOfOrder.fence === 'indicator' && outgoing.some((earlier) => overlap(earlier.wqe, wqe));
});

/** Whether two requests touch the same memory of the responder. */
function overlap(a: SendWqe, b: SendWqe): boolean {
  if (a.kind === 'send' || b.kind === 'send' || a.length === 0 || b.length === 0) return false;
  const from = a.wr.remote_addr ?? 0n;
  const to = b.wr.remote_addr ?? 0n;
  return from < to + BigInt(b.length) && to < from + BigInt(a.length);
}

export const begin = seam((core: Core, qp: OooQp, wqe: SendWqe): Outgoing => {
  const q = qp.ooo.requester;
  const waits = isAnswered(wqe);
  const consumes = wqe.kind === 'send' || wqe.wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';
  const packets = packetsOf(wqe.length, qp.mtu);
  wqe.launched = true;
  wqe.psn = qp.requester.end;
  wqe.packets = waits ? 1 : packets;
  const answers = wqe.kind === 'read' ? packets : waits ? 1 : 0;
  q.launched = psnAdd(q.launched, 1);
  const started: Outgoing = {
    wqe,
    msn: q.launched,
    recvWqeSn: consumes ? q.recvWqes : undefined,
    readWqeSn: waits ? q.readWqes : undefined,
    flights: [],
    answers: Array.from({ length: answers }, () => false),
    missing: answers,
  };
  advanceNumbers(core, q, consumes, waits);
  q.outgoing.push(started);
  return started;
});

/** The numbers of the next request, behind one that consumes a receive WQE or is a READ or ATOMIC. */
export const advanceNumbers = seam(
  (_core: Core, q: OooRequester, consumes: boolean, waits: boolean): void => {
    if (consumes) q.recvWqes = psnAdd(q.recvWqes, 1);
    if (waits) q.readWqes = psnAdd(q.readWqes, 1);
  },
);
