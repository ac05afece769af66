import type { DcqcnParameters, RateCause, RateRecord } from '../../../spec/congestion.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { CongestionSettings } from './settings.ts';

/** Reaction point of a device: limits the rate of QPs that CNPs name. */
export class ReactionPoint {
  listener: ((record: RateRecord, time: number) => void) | undefined;
  readonly #core: Core;
  readonly #settings: CongestionSettings;

  constructor(core: Core, settings: CongestionSettings) {
    this.#core = core;
    this.#settings = settings;
  }

  /** A CNP named the QP. */
  notified(qp: QueuePair): void {
    const { dcqcn } = this.#settings;
    const { clock, variant } = this.#core;
    if (dcqcn === undefined) return;
    if (qp.limiter === undefined) {
      const limiter = new RateLimiter({
        clock,
        settings: { ...this.#settings, dcqcn },
        variant,
        alpha: startingAlpha(this.#core, qp, dcqcn),
        record: (cause) => {
          this.#record(qp, limiter, cause);
        },
        released: () => {
          if (qp.limiter === limiter) qp.limiter = undefined;
        },
      });
      qp.limiter = limiter;
    }
    qp.limiter.notified();
  }

  #record({ num }: QueuePair, { rate, target, alpha }: RateLimiter, cause: RateCause): void {
    if (tells(this.#core, cause))
      this.listener?.({ qp_num: num, cause, rate, target, alpha }, this.#core.clock.now());
  }
}

/** Alpha of a QP that begins to be limited. */
export const startingAlpha = seam(
  (_core: Core, _qp: QueuePair, { initialAlpha }: DcqcnParameters): number => initialAlpha,
);

/** Whether the device says so when this has happened to a rate. */
export const tells = seam((_core: Core, _cause: RateCause): boolean => true);
