import { psnDiff } from '../../../wire/index.ts';

const least = 16;
const most = 2048;
/** Numbers of each packet: its time, then PSN and IPv4 identification + 1 in one. */
const stride = 2;
const idsOf = 0x20000;
/** Of a flow that sends responses alone. */
const none = new Float64Array(least * stride).fill(-1);

/** The newest packets of a flow by PSN: a ring that grows with the packets under way, up to 2048 of them. */
export class Sights {
  #slots = none;

  /** When the PSN was seen last; `undefined` if it was not, or too long ago. */
  timeOf(psn: number): number | undefined {
    const at = this.#at(psn);
    return this.#psnAt(at) === psn ? this.#slots[at] : undefined;
  }

  /** IPv4 identification of the newest packet with a PSN that was seen; -1 where it has none. */
  idOf(psn: number): number {
    return ((this.#slots[this.#at(psn) + 1] ?? 0) % idsOf) - 1;
  }

  add(psn: number, t: number, id: number): void {
    for (;;) {
      const old = this.#psnAt(this.#at(psn));
      const size = this.#slots.length / stride;
      if (old < 0 || old === psn || size >= most || Math.abs(psnDiff(psn, old)) >= most) break;
      this.#grow(2 * size);
    }
    if (this.#slots === none) this.#slots = none.slice();
    const at = this.#at(psn);
    this.#slots[at] = t;
    this.#slots[at + 1] = psn * idsOf + id + 1;
  }

  #at(psn: number): number {
    return (psn & (this.#slots.length / stride - 1)) * stride;
  }

  /** PSN that has its place there; -1: none. */
  #psnAt(at: number): number {
    return Math.floor((this.#slots[at + 1] ?? -1) / idsOf);
  }

  #grow(size: number): void {
    const before = this.#slots;
    const slots = (this.#slots = new Float64Array(size * stride).fill(-1));
    for (let from = 0; from < before.length; from += stride) {
      const psn = Math.floor((before[from + 1] ?? -1) / idsOf);
      if (psn < 0) continue;
      const at = this.#at(psn);
      slots[at] = before[from] ?? 0;
      slots[at + 1] = before[from + 1] ?? 0;
    }
  }
}
