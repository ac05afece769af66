import type { SuiteProperty } from '../../property.ts';
import type { Chooser, Spent } from './chooser.ts';

/** Properties in turn, each as often as its `share` says; a shard begins elsewhere, so that short ones reach all together. */
export class Turns implements Chooser {
  private readonly order: readonly number[];
  private readonly dropped = new Set<number>();
  private turn: number;

  constructor(properties: readonly SuiteProperty[], { i, n } = { i: 1, n: 1 }) {
    const most = Math.max(...properties.map(({ share = 1 }) => share));
    this.order = Array.from({ length: most }, (_, round) =>
      properties.flatMap(({ share = 1 }, index) => (share > round ? [index] : [])),
    ).flat();
    this.turn = Math.floor(((i - 1) * this.order.length) / n);
  }

  /** Turns until each property had all of its. */
  get round(): number {
    return this.order.length;
  }

  learn({ index, last }: Spent): void {
    if (last) this.dropped.add(index);
  }

  next(): number | undefined {
    for (let tried = 0; tried < this.order.length; tried++) {
      const index = this.order[this.turn++ % this.order.length];
      if (index !== undefined && !this.dropped.has(index)) return index;
    }
    return undefined;
  }
}
