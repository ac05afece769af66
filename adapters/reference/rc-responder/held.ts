import type { Timer } from '../../adapter.ts';
import { forgetRate, type RateLimiter } from '../congestion/rate-limiter.ts';
import type { Fields } from '../device/headers.ts';

/** Responses that the rate of their QP keeps from leaving. */
export interface HeldResponses {
  /** oldest first */
  queue: Fields[];
  timer: Timer | undefined;
  /** the newest of them refuses a request: they leave although the QP is in ERR by then */
  refused: boolean;
}

export function makeHeld(): HeldResponses {
  return { queue: [], timer: undefined, refused: false };
}

/** The QP sends nothing any more. */
export function endSending(qp: {
  limiter: RateLimiter | undefined;
  responder: { held: HeldResponses };
}): void {
  const { held } = qp.responder;
  held.queue = [];
  held.timer?.cancel();
  held.timer = undefined;
  forgetRate(qp);
}
