import type { Wc } from '../../../spec/verbs.ts';
import type { CompletionQueue } from '../device/cq.ts';
import type { Device } from '../device/device.ts';
import { seam } from '../seam.ts';

/** ibv_req_notify_cq; a CQ that is armed for any completion stays so. */
export const arm = seam((_device: Device, cq: CompletionQueue, solicitedOnly: boolean): void => {
  if (cq.armed !== 'any') cq.armed = solicitedOnly ? 'solicited' : 'any';
});

/** A completion has entered a CQ. `solicited`: of a message whose sender asked for an event. */
export const announceCompletion = seam(
  (device: Device, cq: CompletionQueue, wc: Wc, solicited: boolean): void => {
    if (wakes(device, cq, wc, solicited)) notify(device, cq);
  },
);

/** Whether a completion is one that software waits for. */
export const wakes = seam(
  (device: Device, { armed }: CompletionQueue, wc: Wc, solicited: boolean): boolean =>
    armed === 'solicited' ? isSolicited(device, wc, solicited) : armed === 'any',
);

export const isSolicited = seam(
  (_device: Device, { status }: Wc, solicited: boolean): boolean => solicited || status !== 'IBV_WC_SUCCESS',
);

/** The completion event of a CQ, one for each time that it is armed. */
export const notify = seam((device: Device, cq: CompletionQueue): void => {
  cq.armed = 'no';
  tellCompletion(device, cq);
});

export function tellCompletion({ cqListener, clock }: Device, { handle }: CompletionQueue): void {
  cqListener?.(handle, clock.now());
}
