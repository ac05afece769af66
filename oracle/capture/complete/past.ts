/** Times kept of a span, beside the newest one before it. */
const most = 64;
/** Older ones that are let go together. */
const surplus = 8;

/**
 * What a number was at a time not long ago. Where it changes often, a change is taken as later than it was: what it was is then an
 * earlier value, never a later one.
 */
export class Past {
  #times: number[] = [];
  #values: number[] = [];

  /** It is so from `t` on. `span`: how long ago it may be asked for, nanoseconds. */
  note(t: number, value: number, span: number): void {
    const [times, values] = [this.#times, this.#values];
    const last = times.length - 1;
    const crowded = last > 0 && t - (times[last - 1] ?? 0) < span / most;
    if (crowded) {
      times.pop();
      values.pop();
    }
    times.push(t);
    values.push(value);
    const kept = times.findIndex((time) => t - time <= span);
    if (kept > surplus) {
      times.splice(0, kept - 1);
      values.splice(0, kept - 1);
    }
  }

  /** What it was at `t`; `undefined`: that is not known. */
  at(t: number): number | undefined {
    return this.#values[this.#times.findLastIndex((time) => time <= t)];
  }

  clear(): void {
    this.#times = [];
    this.#values = [];
  }
}
