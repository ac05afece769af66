import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { flushed } from '../device/flush.ts';
import type { Fields } from '../device/headers.ts';
import { pumpIn } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { completeInError, succeed } from '../rc-requester/complete.ts';
import { noticeDrained } from '../rc-requester/drain.ts';
import { begin, startsRequests } from '../rc-requester/launch.ts';
import { packetAt } from '../rc-requester/segment.ts';
import { mayBegin } from '../rc-requester/send.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { seam } from '../seam.ts';

/** Sends what is posted, each packet once. A request is complete when its last packet has left. */
export function pumpUnreliable(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  while (qp.state === 'IBV_QPS_RTS' || qp.state === 'IBV_QPS_SQD') {
    const wqe = nextRequest(core, qp);
    if (wqe === undefined) break;
    const wait = rateWait(core, qp);
    if (wait > 0) {
      pumpIn(core, qp, wait);
      break;
    }
    if (!wqe.launched) {
      if (!startsRequests(core, qp, wqe)) break;
      begin(core, qp, wqe);
    }
    if (vanishes(core, qp, wqe)) {
      q.queue.shift();
      succeed(core, qp, wqe);
      continue;
    }
    const fields = mayBegin(core, qp, wqe) ? packetAt(core, qp, wqe, q.next) : undefined;
    if (fields === undefined) {
      failSendQueue(core, qp, wqe.defect ?? 'IBV_WC_LOC_PROT_ERR');
      break;
    }
    sendOnce(core, qp, wqe, fields);
    q.next = q.end = q.una = psnAdd(q.next, 1);
    if (psnDiff(q.next, wqe.psn) >= wqe.packets) finish(core, qp, wqe);
    if (core.config.packetGap > 0) {
      pumpIn(core, qp, core.config.packetGap);
      break;
    }
  }
  noticeDrained(core, qp);
}

/** The request to be sent now. */
export const nextRequest = seam(
  (_core: Core, { requester }: QueuePair): SendWqe | undefined => requester.queue[0],
);

/** Nanoseconds until the rate of the QP lets a packet leave. */
export const rateWait = seam((_core: Core, { limiter }: QueuePair): number => limiter?.wait('requests') ?? 0);

/** A datagram that no packet of the port can hold, on a device that says nothing of it. */
export const vanishes = seam(
  ({ config }: Core, { service }: QueuePair, wqe: SendWqe): boolean =>
    service === 'UD' && wqe.packets > 1 && config.longDatagram === 'vanish' && wqe.defect === undefined,
);

export const sendOnce = seam((core: Core, qp: QueuePair, wqe: SendWqe, fields: Fields): void => {
  core.transmit(qp, fields, wqe.to);
});

/** The last packet of a request has left. */
export const finish = seam((core: Core, qp: QueuePair, wqe: SendWqe): void => {
  qp.requester.queue.shift();
  succeed(core, qp, wqe);
});

/** The oldest WQE ends with this status, the QP in SQE; what is behind it is flushed, and receiving goes on. */
export const failSendQueue = seam((core: Core, qp: QueuePair, status: WcStatus): void => {
  const [wqe, ...behind] = qp.requester.queue.splice(0);
  if (wqe === undefined) return;
  qp.state = qp.attr.qp_state = 'IBV_QPS_SQE';
  completeInError(core, qp, wqe, status);
  flushBehind(core, qp, behind);
});

export const flushBehind = seam((core: Core, qp: QueuePair, behind: readonly SendWqe[]): void => {
  for (const { wr } of behind) flushed(core, qp, 'send', wr.wr_id);
});
