import type { Paced } from '../../../report/connections/shape.ts';

/** Length of the stretches in which bytes are counted, nanoseconds. */
const stretch = 1e6;

/** What one end sends in each millisecond: the most of it, and how that changes where CNPs ask it to slow down. */
export class Pace {
  /** payload bytes of the busiest millisecond */
  busiest = 0;
  #now = -1;
  #payload = 0;
  /** bytes on the wire in this stretch, and in the one before it */
  #bytes = 0;
  #before = 0;
  /** a CNP came in the stretch before this one, or in this one */
  #slowed: 'no' | 'now' | 'before' = 'no';
  /** bytes in the stretch in front of that one */
  #asked = 0;
  #paced: Paced = { cnps: 0, before: 0, behind: 0 };

  /** A frame of `bytes` bytes is sent at `t`, nanoseconds. `payload`: of it, for the first time. */
  sent(t: number, bytes: number, payload: number): void {
    this.#reach(t);
    this.#bytes += bytes;
    this.#payload += payload;
    if (this.#payload > this.busiest) this.busiest = this.#payload;
  }

  /** A CNP for it has come. Those that come until the next millisecond is over say nothing new. */
  slowed(t: number): void {
    this.#reach(t);
    if (this.#slowed !== 'no' || this.#before === 0) return;
    this.#slowed = 'now';
    this.#asked = this.#before;
  }

  /** `undefined` where no CNP has come that it had time to follow. */
  get paced(): Paced | undefined {
    return this.#paced.cnps === 0 ? undefined : this.#paced;
  }

  #reach(t: number): void {
    const now = Math.floor(t / stretch);
    if (now === this.#now) return;
    const next = now === this.#now + 1;
    // of a stretch without any frame nothing was sent
    if (this.#slowed === 'before') this.#follow(this.#bytes);
    else if (this.#slowed === 'now' && !next) this.#follow(0);
    else if (this.#slowed === 'now') this.#slowed = 'before';
    this.#before = next ? this.#bytes : 0;
    this.#now = now;
    this.#bytes = 0;
    this.#payload = 0;
  }

  #follow(bytes: number): void {
    const { cnps, before, behind } = this.#paced;
    this.#paced = { cnps: cnps + 1, before: before + this.#asked, behind: behind + bytes };
    this.#slowed = 'no';
  }
}
