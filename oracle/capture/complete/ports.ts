import { ackTimeout } from '../../../spec/constants.ts';
import type { TraceHeader } from '../../trace.ts';

/** Time in which every conformant device answers, nanoseconds. */
const patience = 1e9;
/** The shortest interval of an ACK timer, nanoseconds. */
export const shortestTimeout = 2 * ackTimeout.baseNanoseconds;

/** At which devices' ports a capture was taken that has lost nothing, and what is known of their ACK timers. */
export class CompletePorts {
  /** interval T of the ACK timers, nanoseconds: the shortest there is where nobody says; infinite without timers */
  readonly interval: number;
  /** whether somebody has said that, and there are timers */
  readonly timed: boolean;
  /** time within which an answer comes, nanoseconds */
  readonly patience: number;
  readonly #addresses: ReadonlySet<string>;
  readonly #unseen: Set<string>;

  constructor({ addresses, timeout }: NonNullable<TraceHeader['complete']>) {
    this.#addresses = new Set(addresses);
    this.#unseen = new Set(addresses);
    const { off, baseNanoseconds, windowFactor } = ackTimeout;
    this.interval =
      timeout === off ? Number.POSITIVE_INFINITY : baseNanoseconds * 2 ** Math.max(1, timeout ?? 1);
    this.timed = timeout !== undefined && timeout !== off;
    this.patience = this.timed ? Math.max(patience, windowFactor * this.interval) : patience;
  }

  /** Whether the capture shows everything that this end has sent and received. */
  at(address: string): boolean {
    this.#unseen.delete(address);
    return this.#addresses.size === 0 || this.#addresses.has(address);
  }

  /** Others have seen packets of all but these. */
  sawAllBut(unseen: readonly string[]): void {
    for (const address of this.#unseen) if (!unseen.includes(address)) this.#unseen.delete(address);
  }

  /** Addresses that no packet came from or went to. */
  get unseen(): readonly string[] {
    return [...this.#unseen];
  }
}
