import type { TraceHeader } from '../../trace.ts';

/** The link of the DUT's port, as calls have changed it. */
export class Link {
  up = true;
  /** what is recorded behind a change has happened behind it */
  readonly #exact: boolean;

  constructor({ clock, timing }: Pick<TraceHeader, 'clock' | 'timing'>) {
    this.#exact = clock === 'virtual' && (timing?.jitter ?? 0) === 0;
  }

  /** Whether a packet that comes to the port now surely does not reach it, and none can leave it. */
  get surelyDown(): boolean {
    return !this.up && this.#exact;
  }
}
