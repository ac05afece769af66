/** Rules that cases exercised together, as a campaign keeps them from round to round. */
export interface PairsData {
  /** ids, by number */
  rules: string[];
  /** by number: numbers of the rules that were exercised with it, itself among them, none less than its own */
  with: number[][];
}

/** Which rules were exercised together by some case: they show that a case is like none before it. */
export class Pairs {
  readonly #numbers = new Map<string, number>();
  readonly #with: Set<number>[] = [];
  #size = 0;

  constructor(data: PairsData = { rules: [], with: [] }) {
    for (const id of data.rules) this.#number(id);
    for (const [a, others] of data.with.entries()) for (const b of others) this.#add(a, b);
  }

  /** Pairs of two rules. */
  get size(): number {
    return this.#size - this.rules;
  }

  /** Rules that some case exercised. */
  get rules(): number {
    return this.#with.filter((others, number) => others.has(number)).length;
  }

  /** Takes the rules that one case exercised; how many of them, and of pairs of them, no case before had. */
  add(exercised: Iterable<string>): number {
    const numbers = [...exercised].map((id) => this.#number(id)).toSorted((a, b) => a - b);
    const before = this.#size;
    for (const [at, a] of numbers.entries()) for (const b of numbers.slice(at)) this.#add(a, b);
    return this.#size - before;
  }

  data(): PairsData {
    const sorted = this.#with.map((others) => [...others].toSorted((a, b) => a - b));
    return { rules: [...this.#numbers.keys()], with: sorted };
  }

  #number(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#with.push(new Set());
    this.#numbers.set(id, this.#with.length - 1);
    return this.#with.length - 1;
  }

  #add(a: number, b: number): void {
    const others = this.#with[a];
    if (others === undefined || others.has(b)) return;
    others.add(b);
    this.#size++;
  }
}
