import { psnAdd, psnDiff, type PacketFields } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Destination } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
import { succeed } from '../rc-requester/complete.ts';
import type { SendWqe } from '../rc-requester/state.ts';

type Request = Omit<PacketFields, 'destQp'>;

const patience = 20_000;

/** What mutants do to a send queue before they look at it. */
export function disarranged({ fault }: Core, qp: QueuePair): void {
  const q = qp.requester;
  if (fault === 'unreliable-newest-first' && q.queue[0]?.launched === false) q.queue.reverse();
  if (fault === 'unreliable-unsignaled-not-sent') q.queue = q.queue.filter(({ signaled }) => signaled);
}

/** Whether a mutant has completed a request that waits for its QP to leave SQD. */
export function completeUnsent(core: Core, qp: QueuePair, wqe: SendWqe): boolean {
  if (core.fault !== 'sqd-request-completes' || qp.state !== 'IBV_QPS_SQD') return false;
  qp.requester.queue.shift();
  succeed(core, qp, wqe);
  return true;
}

/** Whether a mutant does not send the packet with this PSN. */
export function leftOut({ fault }: Core, wqe: SendWqe, psn: number): boolean {
  const index = psnDiff(psn, wqe.psn);
  return fault === 'uc-middle-left-out' && index > 0 && index < wqe.packets - 1;
}

/** where a QP of a mutant sent its newest datagram */
const latest = new WeakMap<QueuePair, number>();

/** Where a packet goes; `undefined`: to the QP's peer. */
export function destinationFor({ fault }: Core, qp: QueuePair, { to }: SendWqe): Destination | undefined {
  if (fault === 'uc-sends-to-itself' && to === undefined) return { ...destinationOf(qp), destQp: qp.num };
  if (fault !== 'ud-number-of-last' || to === undefined) return to;
  const destQp = latest.get(qp) ?? qp.num;
  latest.set(qp, to.destQp);
  return { ...to, destQp };
}

function destinationOf({ remote, destQp, srcPort }: QueuePair): Destination {
  return { remote, destQp, srcPort };
}

/** What mutants send behind the last packet of a message. */
export function sendAgain(core: Core, qp: QueuePair, fields: Request, to: Destination | undefined): void {
  const q = qp.requester;
  if (core.fault === 'unreliable-sends-again-anew') {
    core.transmit(qp, { ...fields, psn: q.next }, to);
    q.next = q.end = q.una = psnAdd(q.next, 1);
  }
  if (core.fault !== 'uc-retransmits' || qp.service !== 'UC') return;
  core.clock.setTimer(patience, () => {
    if (qp.requester === q) core.transmit(qp, fields, to);
  });
}

/** what a QP of a mutant holds back until the next packet of the message has left */
const heldBack = new WeakMap<QueuePair, Request>();

/** Sends every other packet behind the one that follows it in the message. */
export function sendSwapped(core: Core, qp: QueuePair, wqe: SendWqe, fields: Request): void {
  const held = heldBack.get(qp);
  heldBack.delete(qp);
  const last = psnDiff(fields.psn, wqe.psn) === wqe.packets - 1;
  if (held === undefined && !last) heldBack.set(qp, fields);
  else core.transmit(qp, fields, wqe.to);
  if (held !== undefined) core.transmit(qp, held, wqe.to);
}
