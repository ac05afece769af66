import { psnDiff } from '../../../wire/index.ts';

const least = 16;
const most = 2048;

/** The newest packets of a flow by PSN: a ring that grows with the packets under way, up to 2048 of them. */
export class Sights {
  #psns = new Int32Array(least).fill(-1);
  #times = new Float64Array(least);
  #ids = new Int32Array(least);

  /** When the PSN was seen last; `undefined` if it was not, or too long ago. */
  timeOf(psn: number): number | undefined {
    const slot = psn & (this.#psns.length - 1);
    return this.#psns[slot] === psn ? this.#times[slot] : undefined;
  }

  /** IPv4 identification of the newest packet with a PSN that was seen; -1 where it has none. */
  idOf(psn: number): number {
    return this.#ids[psn & (this.#psns.length - 1)] ?? -1;
  }

  add(psn: number, t: number, id: number): void {
    for (;;) {
      const size = this.#psns.length;
      const old = this.#psns[psn & (size - 1)] ?? -1;
      if (old < 0 || old === psn || size >= most || Math.abs(psnDiff(psn, old)) >= most) break;
      this.#grow(2 * size);
    }
    const slot = psn & (this.#psns.length - 1);
    this.#psns[slot] = psn;
    this.#times[slot] = t;
    this.#ids[slot] = id;
  }

  #grow(size: number): void {
    const [psns, times, ids] = [this.#psns, this.#times, this.#ids];
    this.#psns = new Int32Array(size).fill(-1);
    this.#times = new Float64Array(size);
    this.#ids = new Int32Array(size);
    for (const [i, psn] of psns.entries()) {
      if (psn < 0) continue;
      const slot = psn & (size - 1);
      this.#psns[slot] = psn;
      this.#times[slot] = times[i] ?? 0;
      this.#ids[slot] = ids[i] ?? -1;
    }
  }
}
