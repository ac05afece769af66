import { VerbsError } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { die } from '../device/overrun.ts';
import type { ReceiveQueue } from '../device/receive-queue.ts';
import { EINVAL } from './errno.ts';

/** receive work requests posted to an SRQ before it fails, of a device whose SRQs fail */
const posts = 3;
const posted = new WeakMap<ReceiveQueue, number>();

/** Counts a post to an SRQ; true for the one with which the SRQ fails. */
export function failsNow(queue: ReceiveQueue): boolean {
  if (queue.srq === undefined) return false;
  const count = (posted.get(queue) ?? 0) + 1;
  posted.set(queue, count);
  return count === posts;
}

/** Whether an SRQ has failed. */
export function hasFailed(queue: ReceiveQueue): boolean {
  return (posted.get(queue) ?? 0) >= posts;
}

export function raiseSrqError(device: Device, { srq }: ReceiveQueue): void {
  device.raise({ event_type: 'IBV_EVENT_SRQ_ERR', ...(srq === undefined ? {} : { srq }) });
}

/** All QPs on an SRQ fail with it. */
export function spreadSrqError(device: Device, queue: ReceiveQueue): void {
  for (const qp of device.qps.values()) {
    if (qp.receiveQueue !== queue) continue;
    device.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: qp.num });
    die(device, qp);
  }
}

/** A post to an SRQ of a device whose SRQs fail for good. */
export function postUntilFailed(device: Device, call: string, queue: ReceiveQueue, post: () => void): void {
  if (hasFailed(queue)) throw new VerbsError(call, EINVAL);
  post();
  if (!failsNow(queue)) return;
  raiseSrqError(device, queue);
  spreadSrqError(device, queue);
}
