import { psnAdd } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { packetsOf } from '../rc-requester/segment.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import type { OooQp } from './qp.ts';
import type { Outgoing } from './state.ts';

/** The request that the next new packet belongs to: the one under way, or the next that may start. */
export function nextOutgoing(core: Core, qp: OooQp): Outgoing | undefined {
  const { outgoing } = qp.ooo.requester;
  const newest = outgoing.at(-1);
  if (newest !== undefined && newest.flights.length < newest.wqe.packets) return newest;
  const wqe = qp.requester.queue[outgoing.length];
  // SQD finishes what has been started and starts nothing.
  if (wqe === undefined || qp.state === 'IBV_QPS_SQD' || held(core, qp, wqe)) return undefined;
  if (core.fault === 'ooo-one-at-a-time' && outgoing.length > 0) return undefined;
  return begin(core, qp, wqe);
}

function held(core: Core, qp: OooQp, wqe: SendWqe): boolean {
  const { outgoing } = qp.ooo.requester;
  const { outOfOrder } = core.config;
  const { fault } = core;
  let open = 0;
  for (const { wqe: earlier } of outgoing) if (earlier.kind === 'read' || earlier.kind === 'atomic') open++;
  const room = qp.attr.max_rd_atomic ?? 0;
  if ((wqe.kind === 'read' || wqe.kind === 'atomic') && open >= room) return true;
  if (wqe.wr.send_flags?.includes('IBV_SEND_FENCE') === true && fault !== 'ooo-fence-ignored') {
    if (open > 0 || (outOfOrder.fencesAll && fault !== 'ooo-full-fence-ignored' && outgoing.length > 0))
      return true;
  }
  if (outOfOrder.fence === 'application' || fault === 'ooo-overlap-not-held') return false;
  return outgoing.some(({ wqe: earlier }) => overlap(earlier, wqe));
}

/** Whether two requests touch the same memory of the responder, so that what is left of the older one might meet the newer one. */
function overlap(a: SendWqe, b: SendWqe): boolean {
  if (a.kind === 'send' || b.kind === 'send' || a.length === 0 || b.length === 0) return false;
  const from = a.wr.remote_addr ?? 0n;
  const to = b.wr.remote_addr ?? 0n;
  return from < to + BigInt(b.length) && to < from + BigInt(a.length);
}

function begin({ fault }: Core, qp: OooQp, wqe: SendWqe): Outgoing {
  const q = qp.ooo.requester;
  const waits = wqe.kind === 'read' || wqe.kind === 'atomic';
  const consumes = wqe.kind === 'send' || wqe.wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';
  wqe.launched = true;
  if (fault === 'ooo-psn-skipped' && q.launched > 0) qp.requester.end = psnAdd(qp.requester.end, 1);
  wqe.psn = qp.requester.end;
  wqe.packets = waits ? 1 : packetsOf(wqe.length, qp.mtu);
  const answers = wqe.kind === 'read' ? packetsOf(wqe.length, qp.mtu) : waits ? 1 : 0;
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
  if ((consumes && fault !== 'ooo-receive-number-stuck') || fault === 'ooo-receive-number-counts-all')
    q.recvWqes = psnAdd(q.recvWqes, 1);
  if ((waits && fault !== 'ooo-read-number-stuck') || fault === 'ooo-read-number-counts-all')
    q.readWqes = psnAdd(q.readWqes, 1);
  q.outgoing.push(started);
  return started;
}
