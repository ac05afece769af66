import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import { flushed } from '../flush.ts';
import type { QueuePair } from '../qp.ts';
import { noticeDrained, succeed } from '../requester/complete.ts';
import { packetAt, packetsOf } from '../requester/segment.ts';
import { mayBegin, pumpIn } from '../requester/send.ts';
import type { SendWqe } from '../requester/state.ts';

/** Sends what is posted, each packet once. A request is complete when its last packet has left. */
export function pumpUnreliable(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  while (qp.state === 'IBV_QPS_RTS' || qp.state === 'IBV_QPS_SQD') {
    const wqe = q.queue[0];
    if (wqe === undefined) break;
    if (!wqe.launched) {
      // SQD finishes what has been started and starts nothing.
      if (qp.state === 'IBV_QPS_SQD') break;
      wqe.launched = true;
      wqe.psn = q.next;
      wqe.packets = packetsOf(wqe.length, qp.mtu);
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
    q.next = q.end = psnAdd(q.next, 1);
    q.una = q.next;
    core.transmit(qp, fields, wqe.to);
    if (psnDiff(q.next, wqe.psn) >= wqe.packets) {
      q.queue.shift();
      succeed(core, qp, wqe);
    }
    if (core.config.packetGap > 0) {
      pumpIn(core, qp, core.config.packetGap);
      break;
    }
  }
  noticeDrained(core, qp);
}

/** A datagram that no packet of the port can hold, on a device that says nothing of it. */
function vanishes({ config }: Core, qp: QueuePair, wqe: SendWqe): boolean {
  return (
    qp.service === 'UD' && wqe.packets > 1 && config.longDatagram === 'vanish' && wqe.defect === undefined
  );
}

/** The oldest WQE ends with this status, the QP in SQE; what is behind it is flushed, and receiving goes on. */
export function failSendQueue(core: Core, qp: QueuePair, status: WcStatus): void {
  const [wqe, ...behind] = qp.requester.queue.splice(0);
  qp.state = 'IBV_QPS_SQE';
  qp.attr.qp_state = 'IBV_QPS_SQE';
  if (wqe !== undefined) core.complete(qp.sendCq, { wr_id: wqe.wr.wr_id, status, qp_num: qp.num });
  for (const { wr } of behind) flushed(core, qp, 'send', wr.wr_id);
}
