import type { Drawing, Mark } from '../../../report/connections/shape.ts';
import { psnDiff } from '../../../wire/index.ts';

/** Columns of a picture: of each mark, no more than two points are kept in one. Of rare marks, the columns are finer. */
const columns = 500;
const fineColumns = 2000;
const common: readonly Mark[] = ['request', 'answer'];
/** Parts of the time in which payload is counted. */
const stretches = 200;
/** Packets that are described, and waits that are drawn. */
const mostNotes = 300;
const mostWaits = 1000;

interface Point {
  t: number;
  psn: number;
}

/** Collects what a picture of one direction shows, in memory that does not grow with the capture. */
export class Canvas {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly #points = new Map<Mark, Point[]>();
  /** column of the newest point of a mark, and points in it */
  readonly #filled = new Map<Mark, { column: number; points: number }>();
  readonly #waits: number[] = [];
  readonly #carried: number[] = Array.from({ length: stretches }, () => 0);
  readonly #notes: Drawing['notes'] = [];
  /** PSN that was seen last, with what has wrapped */
  #psn: { raw: number; whole: number } | undefined;

  constructor(title: string, from: number, to: number) {
    this.title = title;
    this.from = from;
    this.to = Math.max(to, from + 1);
  }

  /** A mark; several in one column beyond the first two replace the second. */
  add(mark: Mark, t: number, rawPsn: number, note?: string): void {
    const psn = this.#whole(rawPsn);
    let points = this.#points.get(mark);
    if (points === undefined) this.#points.set(mark, (points = []));
    const fine = common.includes(mark) ? columns : fineColumns;
    const column = Math.floor(((t - this.from) / (this.to - this.from)) * fine);
    const filled = this.#filled.get(mark);
    if (filled?.column === column && filled.points >= 2) points[points.length - 1] = { t, psn };
    else {
      points.push({ t, psn });
      this.#filled.set(mark, { column, points: filled?.column === column ? filled.points + 1 : 1 });
    }
    if (note !== undefined && this.#notes.length < mostNotes) this.#notes.push({ t, psn, text: note });
  }

  /** Payload that is no repetition. */
  carry(t: number, bytes: number): void {
    const at = Math.floor(((t - this.from) / (this.to - this.from)) * stretches);
    const stretch = Math.min(stretches - 1, Math.max(0, at));
    this.#carried[stretch] = (this.#carried[stretch] ?? 0) + bytes;
  }

  wait(from: number, to: number, rawPsn: number): void {
    if (this.#waits.length < 3 * mostWaits) this.#waits.push(from, to, this.#whole(rawPsn));
  }

  /** A mark that has no PSN of its own, such as a CNP: at the newest. */
  addHere(mark: Mark, t: number, note?: string): void {
    this.add(mark, t, this.#psn?.raw ?? 0, note);
  }

  /** `undefined` if there is nothing to see. */
  drawing(): Drawing | undefined {
    const all = [...this.#points.values()].flat();
    if (all.length === 0) return undefined;
    let [low, high] = [Infinity, -Infinity];
    for (const { psn } of all) {
      low = Math.min(low, psn);
      high = Math.max(high, psn);
    }
    const points: Drawing['points'] = {};
    for (const [mark, list] of this.#points)
      points[mark] = list.flatMap(({ t, psn }) => [t - this.from, psn - low]);
    return {
      title: this.title,
      from: this.from,
      to: this.to,
      psn: low,
      psns: high - low,
      points,
      waits: this.#waits.map((value, i) => (i % 3 === 2 ? value - low : value - this.from)),
      notes: this.#notes.map(({ t, psn, text }) => ({ t: t - this.from, psn: psn - low, text })),
      carried: this.#carried,
    };
  }

  #whole(raw: number): number {
    const last = this.#psn;
    const whole = last === undefined ? raw : last.whole + psnDiff(raw, last.raw);
    this.#psn = { raw, whole };
    return whole;
  }
}
