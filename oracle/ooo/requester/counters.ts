import type { RetryLimits } from '../../device/retry-limits.ts';

/** How often something has happened, where a device need not have counted every time. */
interface Count {
  least: number;
  most: number;
}

/** Whether a counter is used up. */
export type Spent = 'no' | 'perhaps' | 'yes';

/**
 * What a sender has tried without learning anything new: timeouts and RNR NAKs, as the device may have counted them. What it
 * has not had time to look at (`grace`, nanoseconds) may count or not.
 */
export class RetryCounters {
  readonly #grace: number;
  readonly #limits: Pick<RetryLimits, 'unlimited'>;
  #timeouts: Count = { least: 0, most: 0 };
  #refusals: Count = { least: 0, most: 0 };
  #before = { timeouts: 0, refusals: 0, until: -1 };

  /** `limits`: which rnr_retry never ends */
  constructor(grace: number, limits: Pick<RetryLimits, 'unlimited'>) {
    this.#grace = grace;
    this.#limits = limits;
  }

  /** Something new was told at `t`: counting begins anew. */
  news(t: number): void {
    const { timeouts, refusals } = this.#stillCounted(t);
    this.#before = {
      timeouts: Math.max(timeouts, this.#timeouts.most),
      refusals: Math.max(refusals, this.#refusals.most),
      until: t + this.#grace,
    };
    this.#timeouts = { least: 0, most: 0 };
    this.#refusals = { least: 0, most: 0 };
  }

  /** What had been counted before the newest news, where the device need not have looked at these. */
  #stillCounted(t: number): { timeouts: number; refusals: number } {
    return t > this.#before.until ? { timeouts: 0, refusals: 0 } : this.#before;
  }

  /** The retransmission timer has run out, or may have. */
  timeout(t: number, sure: boolean): void {
    this.#timeouts.most++;
    if (sure && t > this.#before.until) this.#timeouts.least++;
  }

  /** An RNR NAK came; `waiting`: while the time of another one ran, so that it need not count. */
  refused(waiting: boolean): void {
    this.#refusals.most++;
    if (!waiting) this.#refusals.least++;
    // whether it shows that the responder is still there is open
    this.#timeouts.least = 0;
  }

  timeouts(t: number, retryCnt: number): Spent {
    return spent(this.#timeouts, this.#stillCounted(t).timeouts, retryCnt);
  }

  refusals(t: number, rnrRetry: number): Spent {
    if (this.#limits.unlimited(rnrRetry)) return 'no';
    return spent(this.#refusals, this.#stillCounted(t).refusals, rnrRetry + 1);
  }
}

function spent({ least, most }: Count, before: number, limit: number): Spent {
  if (least >= limit) return 'yes';
  return Math.max(most, before) >= limit ? 'perhaps' : 'no';
}
