import { seeded } from '../adapters/seeded.ts';

/** Probabilities, each of a frame on its own. */
export interface Rates {
  drop: number;
  duplicate: number;
  reorder: number;
}

/** What became of a frame, as a verb in the past tense. */
export type Fate = 'pass' | 'dropped' | 'duplicated' | 'delayed';
export type Way = 'forth' | 'back';

export interface LossyWireOptions {
  seed: number;
  rates: Rates;
  /** frames that faults may meet; default all */
  eligible?: (frame: Uint8Array) => boolean;
  /** every frame as it enters the wire, before its fate */
  onFrame?: (way: Way, frame: Uint8Array, fate: Fate) => void;
  deliver: (way: Way, frame: Uint8Array) => void;
  /** runs an action after some milliseconds: a delayed frame is not held longer, even if nothing follows it */
  later: (ms: number, action: () => void) => void;
}

interface Held {
  frame: Uint8Array;
  after: number;
}

/** A wire that drops, duplicates and reorders frames at random, from a seed. A delayed frame lets 1 to 3 others pass. */
export class LossyWire {
  readonly #options: LossyWireOptions;
  readonly #random: () => number;
  readonly #held: Record<Way, Set<Held>> = { forth: new Set(), back: new Set() };

  constructor(options: LossyWireOptions) {
    this.#options = options;
    this.#random = seeded(options.seed);
  }

  send(way: Way, frame: Uint8Array): void {
    const { onFrame, deliver, later, eligible } = this.#options;
    const fate = eligible?.(frame) === false ? 'pass' : this.#draw();
    onFrame?.(way, frame, fate);
    const held = this.#held[way];
    if (fate === 'delayed') {
      const entry = { frame, after: 1 + Math.floor(this.#random() * 3) };
      held.add(entry);
      later(10, () => {
        if (held.delete(entry)) deliver(way, frame);
      });
      return;
    }
    if (fate !== 'dropped') deliver(way, frame);
    if (fate === 'duplicated') deliver(way, frame);
    for (const entry of held) if (--entry.after <= 0 && held.delete(entry)) deliver(way, entry.frame);
  }

  /** Delivers what is delayed. */
  flush(): void {
    for (const way of ['forth', 'back'] as const)
      for (const entry of this.#held[way])
        if (this.#held[way].delete(entry)) this.#options.deliver(way, entry.frame);
  }

  #draw(): Fate {
    const { drop, duplicate, reorder } = this.#options.rates;
    const value = this.#random();
    if (value < drop) return 'dropped';
    if (value < drop + duplicate) return 'duplicated';
    return value < drop + duplicate + reorder ? 'delayed' : 'pass';
  }
}
