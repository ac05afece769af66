/** Finds rows of numbers by one of them. */
export class RowIndex {
  /** words of a row, and which of them it is found by; `mask`: bits of it that count */
  readonly #stride: number;
  readonly #place: number;
  readonly #mask: number;
  /** numbers of rows + 1, by a hash of what they are found by; 0: free */
  #rows = nowhere;
  #shift = 0;

  constructor(stride: number, place: number, mask: number) {
    this.#stride = stride;
    this.#place = place;
    this.#mask = mask;
  }

  /** Number of the row; -1: none. */
  find(words: Int32Array, key: number): number {
    const rows = this.#rows;
    if (rows.length === 0) return -1;
    const last = rows.length - 1;
    for (let at = this.#hash(key); ; at = (at + 1) & last) {
      const row = (rows[at] ?? 0) - 1;
      if (row < 0 || this.#keyOf(words, row) === key) return row;
    }
  }

  add(words: Int32Array, row: number): void {
    const rows = this.#rows;
    const last = rows.length - 1;
    let at = this.#hash(this.#keyOf(words, row));
    while (rows[at] !== 0) at = (at + 1) & last;
    rows[at] = row + 1;
  }

  /** Forgets what it finds, and has room for so many rows. */
  clear(room: number): void {
    const places = room === 0 ? 0 : 2 ** Math.ceil(Math.log2(1.25 * room));
    if (places === this.#rows.length) this.#rows.fill(0);
    else this.#rows = places === 0 ? nowhere : new Uint16Array(places);
    this.#shift = 32 - Math.log2(places);
  }

  #keyOf(words: Int32Array, row: number): number {
    return (words[row * this.#stride + this.#place] ?? 0) & this.#mask;
  }

  #hash(key: number): number {
    // PSNs in a row lie far apart then, and so do those of READs, which are multiples of something
    return Math.imul(key, 0x9e3779b1) >>> this.#shift;
  }
}

const nowhere = new Uint16Array(0);
