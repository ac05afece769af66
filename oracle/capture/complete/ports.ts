import type { TraceHeader } from '../../trace.ts';

/** At which devices' ports a capture was taken that has lost nothing, and what is known of their ACK timers. */
export class CompletePorts {
  /** code of the ACK timeout, if somebody has said it; 0: there is no timer */
  readonly timeout: number | undefined;
  readonly #addresses: ReadonlySet<string>;
  readonly #unseen: Set<string>;

  constructor({ addresses, timeout }: NonNullable<TraceHeader['complete']>) {
    this.#addresses = new Set(addresses);
    this.#unseen = new Set(addresses);
    this.timeout = timeout;
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
