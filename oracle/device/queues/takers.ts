/** How many receive WQEs a QP has taken from its SRQ since it was made. */
export interface Taken {
  readonly least: number;
  readonly most: number;
}

/** What is known of one that nobody watches. */
export const anyNumber: Taken = { least: 0, most: Number.POSITIVE_INFINITY };

/** A QP that takes WQEs from an SRQ. */
export interface Taker {
  /** as far as its packets and completions tell until now */
  readonly taken: Taken;
  /** Another QP may have taken a WQE that this one had found waiting. */
  contended(): void;
}

/** The QPs of an SRQ. Which of them gets the next WQE is up to the device; nobody gets more than there are. */
export class Takers<Key extends object> {
  readonly #watched = new Map<Key, Taker | undefined>();
  /** of QPs that were destroyed */
  #gone: Taken = { least: 0, most: 0 };
  /** fewest WQEs that the others had taken when a packet came */
  readonly #then = new WeakMap<object, number>();

  add(qp: Key): void {
    this.#watched.set(qp, undefined);
  }

  watch(qp: Key, taker: Taker): void {
    this.#watched.set(qp, taker);
  }

  remove(qp: Key): void {
    const { least, most } = this.#watched.get(qp)?.taken ?? anyNumber;
    this.#gone = { least: this.#gone.least + least, most: this.#gone.most + most };
    this.#watched.delete(qp);
  }

  /** What the QPs besides this one have taken: the fewest when the packet came, which is first asked for then, the most until now. */
  besides(qp: Key, packet: object): Taken {
    let { least, most } = this.#gone;
    for (const [other, taker] of this.#watched) {
      if (other === qp) continue;
      const { taken } = taker ?? { taken: anyNumber };
      least += taken.least;
      most += taken.most;
    }
    const then = this.#then.get(packet);
    if (then === undefined) this.#then.set(packet, least);
    return { least: then ?? least, most };
  }

  /** A packet for this QP may take one of so many WQEs. */
  contend(qp: Key, posted: number): void {
    let most = this.#gone.most;
    for (const taker of this.#watched.values()) most += (taker?.taken ?? anyNumber).most;
    if (most <= posted) return;
    for (const [other, taker] of this.#watched) if (other !== qp) taker?.contended();
  }
}
