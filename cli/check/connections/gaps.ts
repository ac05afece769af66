import { psnAdd, psnDiff } from '../../../wire/index.ts';

/** PSNs skipped, from `from` on. */
interface Gap {
  from: number;
  length: number;
  since: number;
}

/** Gaps that are remembered. A packet that fills one is late, and not sent again. */
const kept = 64;
/** PSNs further on belong to another connection. */
const mostSkipped = 0x10000;

/** PSNs of requests that a capture skipped. */
export class Gaps {
  /** PSNs skipped and not seen since */
  missing = 0;
  readonly #gaps: Gap[] = [];

  skip(from: number, length: number, since: number): void {
    if (length > mostSkipped) return;
    this.missing += length;
    this.#gaps.push({ from, length, since });
    if (this.#gaps.length > kept) this.#gaps.shift();
  }

  /** The `length` PSNs from `psn` on are seen after all: when they were skipped; `undefined` if they were not. */
  fill(psn: number, length: number): number | undefined {
    const at = this.#gaps.findIndex((gap) => {
      const into = psnDiff(psn, gap.from);
      return into >= 0 && into < gap.length;
    });
    const gap = this.#gaps[at];
    if (gap === undefined) return undefined;
    const before = psnDiff(psn, gap.from);
    const filled = Math.min(length, gap.length - before);
    this.missing -= filled;
    const behind = gap.length - before - filled;
    const rest: Gap[] = [];
    if (before > 0) rest.push({ ...gap, length: before });
    if (behind > 0) rest.push({ ...gap, from: psnAdd(psn, filled), length: behind });
    this.#gaps.splice(at, 1, ...rest);
    return gap.since;
  }
}
