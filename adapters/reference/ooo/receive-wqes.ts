import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { sgeBytes } from '../device/memory/sge-list.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { nextWqe } from '../rc-responder/receive.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import type { Numbered, OooResponder } from './state.ts';

/** The receive WQE with a number, taken from the queue with all before it; `undefined` where so many are not posted. */
export function numberedWqe(core: Core, qp: OooQp, sn: number): RecvWqe | undefined {
  const r = qp.ooo.responder;
  const more = psnDiff(sn, r.nextTaken) + 1;
  if (more > qp.receiveQueue.wqes.length) return undefined;
  for (let i = 0; i < more; i++) {
    const wqe = nextWqe(core, qp);
    if (wqe === undefined) return undefined;
    r.taken.push({ sn: r.nextTaken, wqe });
    r.nextTaken = psnAdd(r.nextTaken, 1);
  }
  return r.taken.find((numbered) => numbered.sn === sn)?.wqe;
}

/** Whether the buffer of a WQE overlaps one that an older message still fills. */
export function overlapsUnfinished(qp: OooQp, sn: number): boolean {
  const { taken } = qp.ooo.responder;
  const own = taken.find((numbered) => numbered.sn === sn)?.wqe;
  if (own === undefined) return false;
  return taken.some((older) => psnDiff(older.sn, sn) < 0 && share(older.wqe, own));
}

function share(a: RecvWqe, b: RecvWqe): boolean {
  if (sgeBytes(a.sg_list) === 0 || sgeBytes(b.sg_list) === 0) return false;
  return a.sg_list.some((x) =>
    b.sg_list.some((y) => x.addr < y.addr + BigInt(y.length) && y.addr < x.addr + BigInt(x.length)),
  );
}

/** The WQE of the message that completes now. */
export function releaseWqe(core: Core, qp: OooQp): RecvWqe | undefined {
  const r = qp.ooo.responder;
  r.recvWqeSn = psnAdd(r.recvWqeSn, 1);
  return takeOldest(core, r)?.wqe;
}

export const takeOldest = seam((_core: Core, { taken }: OooResponder): Numbered | undefined => taken.shift());
