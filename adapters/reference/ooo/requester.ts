import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Fields } from '../device/headers.ts';
import { pumpIn } from '../device/pump.ts';
import { noticeDrained } from '../rc-requester/drain.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { failOldest } from './fail.ts';
import { mayBegin } from '../rc-requester/send.ts';
import { holdsBack } from '../rc-responder/departure.ts';
import { nextOutgoing } from './launch.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import { requestPacket } from './segment.ts';
import type { Flight, Outgoing } from './state.ts';
import { restartTimer } from './timer.ts';

/** Sends what is lost, then as much that is new as cap, limits on READ and ATOMIC, fences and the QP's state allow. */
export function pumpOutOfOrder(core: Core, qp: OooQp): void {
  const q = qp.requester;
  let sent = false;
  while ((qp.state === 'IBV_QPS_RTS' || qp.state === 'IBV_QPS_SQD') && q.rnrTimer === undefined) {
    if (holdsBack(qp)) break;
    const wait = qp.limiter?.wait('requests') ?? 0;
    if (wait > 0 && q.queue.length > 0) {
      pumpIn(core, qp, wait);
      break;
    }
    if (sendLost(core, qp)) {
      sent = true;
      continue;
    }
    if (qp.ooo.requester.refused !== undefined) break;
    if (psnDiff(q.end, q.una) >= capOf(core)) break;
    const next = nextOutgoing(core, qp);
    if (next === undefined || !sendNew(core, qp, next)) break;
    sent = true;
  }
  if (sent) restartTimer(core, qp);
  noticeDrained(core, qp);
}

/** Packets that may be under way. */
export const capOf = seam(({ config }: Core): number => config.outOfOrder.cap);

/** The next packet of a request; false where it cannot be sent. */
function sendNew(core: Core, qp: OooQp, outgoing: Outgoing): boolean {
  const q = qp.requester;
  const { wqe, flights } = outgoing;
  const psn = q.end;
  const fields = mayBegin(core, qp, wqe) ? requestPacket(core, qp, outgoing, psn, false) : undefined;
  if (fields === undefined) {
    // Earlier requests complete first; then this one is the head and fails.
    if (q.queue[0] === wqe) failOldest(core, qp, localStatus(core, wqe));
    return false;
  }
  flights.push({ psn, acknowledged: false, again: false, due: false });
  q.next = q.end = psnAdd(psn, 1);
  sendPacket(core, qp, fields);
  return true;
}

/** The status of a request that cannot be sent. */
export const localStatus = seam(
  (_core: Core, { defect }: SendWqe): WcStatus => defect ?? 'IBV_WC_LOC_PROT_ERR',
);

/** Sends the oldest packet again that counts as lost; false where there is none. */
function sendLost(core: Core, qp: OooQp): boolean {
  for (const outgoing of qp.ooo.requester.outgoing) {
    for (const flight of outgoing.flights) {
      if (!isLost(core, qp, flight)) continue;
      flight.again = true;
      flight.due = false;
      const fields = requestPacket(core, qp, outgoing, flight.psn, true);
      if (fields === undefined) continue;
      sendPacket(core, qp, fields);
      return true;
    }
  }
  return false;
}

export const sendPacket = seam((core: Core, qp: OooQp, fields: Fields): void => {
  core.transmit(qp, fields);
});

/** Whether a packet counts as lost: later ones have arrived, and it has not been sent again in this recovery. */
export const isLost = seam((_core: Core, qp: OooQp, { psn, acknowledged, again, due }: Flight): boolean => {
  const { selected, recovery } = qp.ooo.requester;
  if (due) return true;
  if (again || acknowledged || recovery === undefined || selected === undefined) return false;
  return psnDiff(psn, selected) < 0;
});
