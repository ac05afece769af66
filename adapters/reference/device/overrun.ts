import { seam } from '../seam.ts';
import type { CompletionQueue } from './cq.ts';
import type { Device } from './device.ts';
import type { QueuePair } from './qp.ts';

/** A completion that a CQ has no room for: the CQ is in error, and every QP on it with it. */
export const overrun = seam((device: Device, cq: CompletionQueue): void => {
  cq.failed = true;
  raiseCqError(device, cq);
  spread(device, cq);
});

export function raiseCqError(device: Device, { handle }: CompletionQueue): void {
  device.raise({ event_type: 'IBV_EVENT_CQ_ERR', cq: handle });
}

export const spread = seam((device: Device, cq: CompletionQueue): void => {
  for (const qp of device.qps.values()) {
    if (qp.sendCq !== cq && qp.recvCq !== cq) continue;
    device.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: qp.num });
    die(device, qp);
  }
});

export const die = seam((device: Device, qp: QueuePair): void => {
  device.fail(qp);
});
