import type { Core } from '../../device/core.ts';
import type { Fields } from '../../device/headers.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { sendRequest } from '../send.ts';
import type { RequesterState, SendWqe } from '../state.ts';
import { awaitsAnswer } from '../timers.ts';

type Sending = (core: Core, qp: QueuePair, wqe: SendWqe, fields: Fields, again: boolean) => void;
type Expiring = (core: Core, qp: QueuePair) => void;

/** the newest request packet of a requester */
const newest = new WeakMap<RequesterState, Fields>();
/** when its newest packet left that was not sent before */
const firstSent = new WeakMap<RequesterState, number>();

function remember(
  sound: Sending,
  core: Core,
  qp: QueuePair,
  wqe: SendWqe,
  fields: Fields,
  again: boolean,
): void {
  sound(core, qp, wqe, fields, again);
  newest.set(qp.requester, fields);
  if (!again) firstSent.set(qp.requester, core.clock.now());
}

/** When the newest packet left that was not sent before. */
export function newestSentAt({ requester }: QueuePair): number {
  return firstSent.get(requester) ?? 0;
}

/** Sends the newest request packet once more. */
export function repeatNewest(core: Core, qp: QueuePair): void {
  const fields = newest.get(qp.requester);
  if (fields !== undefined) core.transmit(qp, fields);
}

/** A timer that fires although nothing is awaited has the newest packet sent once more. */
export function sendNewestAgain(sound: Expiring, core: Core, qp: QueuePair): void {
  if (awaitsAnswer(qp.requester)) sound(core, qp);
  else repeatNewest(core, qp);
}

export const memoryFaults = [
  faultsAt(sendRequest, {
    'timer-not-stopped': remember,
    'failure-leaves-qp-in-rts': remember,
    'rnr-timer-repeats': remember,
    'rnr-wait-from-request': remember,
  }),
];
