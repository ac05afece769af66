import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { flushed, flushReceives } from '../device/flush.ts';
import { pumpIn, schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { completeInError, succeed } from '../rc-requester/complete.ts';
import { noticeDrained } from '../rc-requester/drain.ts';
import { startsRequests } from '../rc-requester/launch.ts';
import { packetAt, packetsOf, segmentSize } from '../rc-requester/segment.ts';
import { mayBegin } from '../rc-requester/send.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import {
  completeUnsent,
  destinationFor,
  disarranged,
  leftOut,
  sendAgain,
  sendSwapped,
} from './request-faults.ts';

/** Sends what is posted, each packet once. A request is complete when its last packet has left. */
export function pumpUnreliable(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  while (qp.state === 'IBV_QPS_RTS' || qp.state === 'IBV_QPS_SQD') {
    if (core.fault !== undefined) disarranged(core, qp);
    const wqe = q.queue[0];
    if (wqe === undefined) break;
    const unpaced = core.fault === 'rate-not-heeded-by-datagrams' && qp.service === 'UD';
    const wait = unpaced ? 0 : (qp.limiter?.wait() ?? 0);
    if (wait > 0) {
      pumpIn(core, qp, wait);
      break;
    }
    if (!wqe.launched) {
      if (completeUnsent(core, qp, wqe)) continue;
      // SQD finishes what has been started and starts nothing.
      if (!startsRequests(core, qp)) break;
      begin(core, qp, wqe);
    }
    if (vanishes(core, qp, wqe) || wqe.defect === 'IBV_WC_SUCCESS') {
      q.queue.shift();
      succeed(core, qp, wqe);
      continue;
    }
    const fields = mayBegin(core, qp, wqe) ? packetAt(core, qp, wqe, q.next) : undefined;
    if (fields === undefined) {
      failSendQueue(core, qp, wqe.defect ?? 'IBV_WC_LOC_PROT_ERR');
      break;
    }
    const to = destinationFor(core, qp, wqe);
    if (core.fault === 'uc-packets-swapped') sendSwapped(core, qp, wqe, fields);
    else if (!leftOut(core, wqe, q.next)) core.transmit(qp, fields, to);
    q.next = q.end = psnAdd(q.next, 1);
    q.una = q.next;
    if (psnDiff(q.next, wqe.psn) >= wqe.packets) {
      q.queue.shift();
      succeed(core, qp, wqe);
      if (core.fault !== undefined) sendAgain(core, qp, fields, to);
    }
    if (core.config.packetGap > 0) {
      pumpIn(core, qp, core.config.packetGap);
      break;
    }
  }
  noticeDrained(core, qp);
}

function begin(core: Core, qp: QueuePair, wqe: SendWqe): void {
  const q = qp.requester;
  const { fault } = core;
  if (fault === 'unreliable-psn-skipped') q.next = psnAdd(q.next, 1);
  if (fault === 'unreliable-psn-repeated') q.next = psnAdd(q.next, -1);
  wqe.launched = true;
  wqe.psn = q.next;
  wqe.packets = packetsOf(wqe.length, segmentSize(core, qp));
}

/** A datagram that no packet of the port can hold, on a device that says nothing of it. */
function vanishes({ config, fault }: Core, qp: QueuePair, wqe: SendWqe): boolean {
  if (qp.service !== 'UD' || wqe.packets <= 1 || fault === 'ud-long-split') return false;
  return config.longDatagram === 'vanish' && wqe.defect === undefined;
}

/** The oldest WQE ends with this status, the QP in SQE; what is behind it is flushed, and receiving goes on. */
export function failSendQueue(core: Core, qp: QueuePair, status: WcStatus): void {
  const { fault } = core;
  const q = qp.requester;
  const [wqe, ...behind] = q.queue.splice(0);
  if (wqe === undefined) return;
  const silent = fault === 'local-fault-unreported' && !wqe.signaled;
  const report = (): void => {
    if (!silent) completeInError(core, qp, wqe, status);
  };
  if (fault === 'local-fault-in-rts') {
    q.queue.push(...behind);
    report();
    schedule(core, qp);
    return;
  }
  qp.state = 'IBV_QPS_SQE';
  qp.attr.qp_state = 'IBV_QPS_SQE';
  if (fault !== 'sqe-flush-before') report();
  if (fault !== 'sqe-flush-missing') for (const { wr } of behind) flushed(core, qp, 'send', wr.wr_id);
  if (fault === 'sqe-flush-before') report();
  if (fault === 'sqe-flushes-receives') flushReceives(core, qp);
  if (fault === 'local-fault-in-err') core.fail(qp);
  if (fault !== 'unreliable-sends-after-failure') return;
  const [next] = behind;
  const fields =
    next === undefined || next.defect !== undefined
      ? undefined
      : packetAt(core, qp, { ...next, psn: q.next, packets: 1 }, q.next);
  if (fields !== undefined) core.transmit(qp, fields, next?.to);
}
