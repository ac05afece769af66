import type { When } from '../spot.ts';
import type { VerbsWork } from './outstanding.ts';

type Queue = 'send' | 'receive';

/** What RESET has taken from a QP, and what became of it all the same. */
export class Forgotten {
  readonly #ids = new Map<number, Queue>();
  #flushes: (When & { queue: Queue })[] = [];
  /** the life that RESET has ended had failed, or may have */
  caused = false;

  take(queue: Queue, works: readonly VerbsWork[]): void {
    for (const { wrId } of works) this.#ids.set(wrId, queue);
  }

  /** Whether the completion is of something that was forgotten; each is asked for once. */
  owns(wrId: number, status: string, { event, t }: When): boolean {
    const queue = this.#ids.get(wrId);
    if (queue === undefined) return false;
    this.#ids.delete(wrId);
    if (status === 'IBV_WC_WR_FLUSH_ERR') this.#flushes.push({ event, t, queue });
    else if (status !== 'IBV_WC_SUCCESS') this.caused = true;
    return true;
  }

  /** Flushes that nothing has called for, now that everything is at rest. */
  uncaused(): readonly (When & { queue: Queue })[] {
    const found = this.caused ? [] : this.#flushes;
    this.#flushes = [];
    return found;
  }
}
