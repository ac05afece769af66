import type { Wc } from '../../spec/verbs.ts';
import type { When } from '../spot.ts';
import type { QpChange } from './listener.ts';

/**
 * What may still come of the life of a QP that ibv_modify_qp has ended while packets were under way: completions of its send queue that
 * software had not taken, and packets that had left before the call was back. Over when the device comes to rest.
 */
export class FormerLife {
  readonly #earliestDeparture: (seen: number) => number;
  readonly #sends = new Set<number>();
  #end: number | undefined;

  /** `earliestDeparture`: when a packet may have left that was seen at that time. */
  constructor(earliestDeparture: (seen: number) => number) {
    this.#earliestDeparture = earliestDeparture;
  }

  /** The life ends with that call, to ERR or RESET, or nothing more begins in it, with SQD. `sends`: ids of the work requests that have not completed. */
  ends(to: QpChange['to'], { t }: When, sends: readonly number[] = []): void {
    this.#end = t;
    if (to === 'RESET') for (const id of sends) this.#sends.add(id);
  }

  /** Whether a completion is one of a work request that RESET has taken from the QP. Each is asked for once. */
  owns({ wr_id: id }: Wc): boolean {
    return this.#sends.delete(id);
  }

  /** Whether a packet of the device that was seen at `t` may have left before the call was back. */
  sent(t: number): boolean {
    return this.#end !== undefined && this.#earliestDeparture(t) <= this.#end;
  }

  /** The device has come to rest. */
  over(): void {
    this.#end = undefined;
    this.#sends.clear();
  }
}
