import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { usable } from '../device/memory/sge-list.ts';
import type { Fields } from '../device/headers.ts';
import { pumpIn } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { holdsBack } from '../rc-responder/departure.ts';
import { seam } from '../seam.ts';
import { asks } from './ask.ts';
import { failHead } from './complete.ts';
import { noticeDrained } from './drain.ts';
import { launch } from './launch.ts';
import { carryOut } from './local.ts';
import { packetAt } from './segment.ts';
import type { SendWqe } from './state.ts';
import { mustBeAnswered, noteRequest } from './timers.ts';
import { find, windowOf } from './window.ts';

/** Sends as much as window, limits on READ and ATOMIC, fences and the QP's state allow. */
export function pump(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  let asked = false;
  while (qp.state === 'IBV_QPS_RTS' || qp.state === 'IBV_QPS_SQD') {
    if (q.rnrTimer !== undefined || psnDiff(q.next, q.una) >= windowOf(core, qp)) break;
    if (holdsBack(qp)) break;
    const wait = qp.limiter?.wait('requests') ?? 0;
    if (wait > 0 && q.queue.length > 0) {
      pumpIn(core, qp, wait);
      break;
    }
    const wqe = q.next === q.end ? launch(core, qp) : find(qp, q.next);
    if (wqe === undefined) break;
    if (wqe.kind === 'local' && wqe.defect === undefined) {
      carryOut(core, qp, wqe);
      continue;
    }
    const fields = mayBegin(core, qp, wqe) ? packetAt(core, qp, wqe, q.next) : undefined;
    if (fields === undefined) {
      failLocally(core, qp, wqe);
      break;
    }
    const from = q.next;
    const again = from !== q.end;
    if (wqe.kind === 'read') {
      if (!wqe.starts.includes(from)) wqe.starts.push(from);
      q.next = psnAdd(wqe.psn, wqe.packets);
    } else q.next = psnAdd(from, 1);
    if (psnDiff(q.next, q.end) > 0) q.end = q.next;
    fields.ackReq = asks(core, qp, wqe, from, fields.ackReq === true);
    if (mustBeAnswered(core, wqe, fields.ackReq)) {
      asked = true;
      const newest = psnAdd(q.next, -1);
      if (q.askedUpTo === undefined || psnDiff(newest, q.askedUpTo) > 0) q.askedUpTo = newest;
    }
    sendRequest(core, qp, wqe, fields, again);
    if (core.config.packetGap > 0) {
      pumpIn(core, qp, core.config.packetGap);
      break;
    }
  }
  if (asked) noteRequest(core, qp, core.clock.now());
  noticeDrained(core, qp);
}

/** `again`: it is not the first time. */
export const sendRequest = seam(
  (core: Core, qp: QueuePair, _wqe: SendWqe, fields: Fields, _again: boolean): void => {
    core.transmit(qp, fields);
  },
);

/** A request that cannot be carried out: earlier ones complete first; then it is the head and fails. */
export const failLocally = seam((core: Core, qp: QueuePair, wqe: SendWqe): void => {
  if (qp.requester.queue[0] === wqe) failHead(core, qp, wqe.defect ?? 'IBV_WC_LOC_PROT_ERR');
});

/** Whether a request may send its next packet: it is sound, and so is its memory where the device looks at all of it first. */
export function mayBegin({ config, memory }: Core, qp: QueuePair, wqe: SendWqe): boolean {
  if (wqe.defect !== undefined) return false;
  if (config.localCheck === 'packet' || wqe.inline !== undefined) return true;
  const stores = wqe.kind === 'read' || wqe.kind === 'atomic';
  return usable(memory, wqe.wr.sg_list, wqe.length, qp.pd, stores);
}
