import type { SuiteProperty } from '../../property.ts';
import type { Chooser, Spent } from './chooser.ts';

/** Cases of each property, by its share; the first ones get one more where the runs do not divide evenly. */
function sharesOf(properties: readonly SuiteProperty[], runs: number): number[] {
  if (runs === Infinity) return properties.map(() => Infinity);
  const parts = properties.reduce((sum, { share = 1 }) => sum + share, 0);
  const even = properties.map(({ share = 1 }) => Math.floor((runs * share) / parts));
  const left = runs - even.reduce((sum, count) => sum + count, 0);
  return even.map((count, i) => count + (i < left ? 1 : 0));
}

function* rows(shares: readonly number[], length: number): Generator<number, undefined> {
  for (let begun = 0; shares.some((share) => share > begun); begun += length) {
    for (const [index, share] of shares.entries()) {
      for (let i = begun; i < Math.min(begun + length, share); i++) yield index;
    }
  }
}

/**
 * Rows of cases of one property each, `length` long at most, each property in turn. On a real clock, cases that wait for the same timers
 * so wait together, where several run at a time.
 */
export class Rows implements Chooser {
  private readonly places: Iterator<number, undefined>;
  private readonly count: number;
  private readonly dropped = new Set<number>();

  constructor(properties: readonly SuiteProperty[], runs: number, length: number) {
    this.places = rows(sharesOf(properties, runs), length);
    this.count = properties.length;
  }

  learn({ index, last }: Spent): void {
    if (last) this.dropped.add(index);
  }

  next(): number | undefined {
    while (this.dropped.size < this.count) {
      const { value } = this.places.next();
      if (value === undefined || !this.dropped.has(value)) return value;
    }
    return undefined;
  }
}
