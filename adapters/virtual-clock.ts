import type { Clock, Timer } from './adapter.ts';

interface Entry {
  at: number;
  order: number;
  fire: (() => void) | undefined;
}

/** Sums of fractions are not exact: a span of 25 us could be found to be shorter by less than the clock can tell. */
const whole = (ns: number): number => Math.ceil(Math.max(0, ns));

/**
 * Deterministic time, in whole nanoseconds since the start; fractions are rounded up. Nothing happens by itself: time moves in
 * sleep(), advance() and runUntilIdle(), which run what is due in order of time, and of setting where times are equal.
 */
export class VirtualClock implements Clock {
  readonly kind = 'virtual';
  #time = 0;
  #order = 0;
  #running = false;
  #cancelled = 0;
  readonly #heap: Entry[] = [];

  now(): number {
    return this.#time;
  }

  setTimer(ns: number, fire: () => void): Timer {
    const entry: Entry = { at: this.#time + whole(ns), order: this.#order++, fire };
    this.#push(entry);
    return {
      cancel: () => {
        if (entry.fire === undefined) return;
        entry.fire = undefined;
        this.#cancelled++;
      },
    };
  }

  /** Moves the time by `ns` and runs what is due; called from within a timer it waits like everybody else. */
  sleep(ns: number): Promise<void> {
    if (this.#running) return new Promise((resolve) => void this.setTimer(ns, resolve));
    this.advance(ns);
    return Promise.resolve();
  }

  /** The same without a promise. Throws if called from within a timer. */
  advance(ns: number): void {
    this.#runUntil(this.#time + whole(ns), true);
  }

  /** Runs until no timer is left, or until `limitNs` from now; true if nothing is left. */
  runUntilIdle(limitNs: number): boolean {
    this.#runUntil(this.#time + limitNs, false);
    return this.pending === 0;
  }

  nextTimer(): number | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (top.fire !== undefined) return top.at;
      this.#pop();
      this.#cancelled--;
    }
    return undefined;
  }

  /** timers set and neither fired nor cancelled */
  get pending(): number {
    return this.#heap.length - this.#cancelled;
  }

  #runUntil(end: number, stretch: boolean): void {
    if (this.#running) throw new Error('the virtual clock is running already');
    this.#running = true;
    try {
      for (let top = this.#heap[0]; top !== undefined && top.at <= end; top = this.#heap[0]) {
        this.#pop();
        const fire = top.fire;
        if (fire === undefined) {
          this.#cancelled--;
          continue;
        }
        this.#time = top.at;
        top.fire = undefined;
        fire();
      }
      if (stretch) this.#time = end;
    } finally {
      this.#running = false;
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent]!;
      if (!before(entry, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    const size = heap.length;
    if (size === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function before(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
