import { zeroed } from '../../../wire/index.ts';

/** What requests did to a byte, for the table rc-responder-memory; `undefined`: its content is not decided by any rule. */
export type ByteClass = 'unnamed' | 'written' | 'refused' | 'repeated' | 'fetched' | 'header' | 'undefined';
const classes: readonly ByteClass[] = [
  'unnamed',
  'written',
  'refused',
  'repeated',
  'undefined',
  'fetched',
  'header',
];
const classNumber: Readonly<Record<ByteClass, number>> = {
  unnamed: 0,
  written: 1,
  refused: 2,
  repeated: 3,
  undefined: 4,
  fetched: 5,
  header: 6,
};

/** What decides the content of a byte that was undecided. */
const decisive: ReadonlySet<ByteClass> = new Set(['written', 'fetched', 'header', 'undefined']);

/** Bytes whose class is one number as long as it is the same for all of them: a region may be as large as the longest message. */
const pageBytes = 0x10000;

export function nameOfClass(value: number | undefined): ByteClass {
  return classes[value ?? 0] ?? 'unnamed';
}

/** Gives a range of bytes, class numbers, a class. An undecided byte stays undecided until something writes it. */
export function mark(bytes: Uint8Array, from: number, to: number, byteClass: ByteClass): void {
  const value = classNumber[byteClass];
  const range = bytes.subarray(from, to);
  if (decisive.has(byteClass) || !range.includes(classNumber.undefined)) {
    range.fill(value);
    return;
  }
  for (let at = 0; at < range.length; at++) if (range[at] !== classNumber.undefined) range[at] = value;
}

/** The class of each byte of a memory region; all are `unnamed` at first. */
export class ByteClasses {
  readonly #length: number;
  /** class numbers by page: one of all its bytes, or one of each; 0 where there is none */
  readonly #pages = new Map<number, number | Uint8Array>();
  /** bit set of the numbers that there have been */
  #seen = 1;

  constructor(length: number) {
    this.#length = length;
  }

  at(offset: number): ByteClass {
    const page = this.#pages.get(Math.floor(offset / pageBytes)) ?? 0;
    return nameOfClass(typeof page === 'number' ? page : page[offset % pageBytes]);
  }

  /** Class numbers of a range, to be changed by who asks. */
  copy(offset: number, length: number): Uint8Array {
    const copy = zeroed(length);
    this.#each(offset, offset + length, (index, from, to) => {
      const page = this.#pages.get(index) ?? 0;
      const at = index * pageBytes + from - offset;
      if (typeof page !== 'number') copy.set(page.subarray(from, to), at);
      else if (page !== 0) copy.fill(page, at, at + to - from);
    });
    return copy;
  }

  /** As `mark` does. */
  mark(from: number, to: number, byteClass: ByteClass): void {
    const value = classNumber[byteClass];
    this.#seen |= 1 << value;
    this.#each(from, to, (index, begin, end) => {
      const page = this.#pages.get(index) ?? 0;
      const whole = begin === 0 && end === this.#sizeOf(index);
      const decided = typeof page === 'number' && page !== classNumber.undefined;
      if (whole && (decided || decisive.has(byteClass))) this.#pages.set(index, value);
      else mark(this.#bytesOf(index), begin, end, byteClass);
    });
  }

  /** Nothing is said of a range any more: software has written it. */
  forget(from: number, to: number): void {
    this.#each(from, to, (index, begin, end) => {
      if (begin === 0 && end === this.#sizeOf(index)) this.#pages.delete(index);
      else if (this.#pages.has(index)) this.#bytesOf(index).fill(0, begin, end);
    });
  }

  /** Classes that bytes have, but for `undefined`. */
  present(): readonly ByteClass[] {
    if (this.#pages.size === 0) return ['unnamed'];
    return classes.filter((name, value) => name !== 'undefined' && this.#has(value));
  }

  #has(value: number): boolean {
    if (((this.#seen >>> value) & 1) === 0) return false;
    for (let index = 0; index * pageBytes < this.#length; index++) {
      const page = this.#pages.get(index) ?? 0;
      if (typeof page === 'number' ? page === value : page.includes(value)) return true;
    }
    return false;
  }

  #sizeOf(index: number): number {
    return Math.min(pageBytes, this.#length - index * pageBytes);
  }

  #bytesOf(index: number): Uint8Array {
    const page = this.#pages.get(index) ?? 0;
    if (typeof page !== 'number') return page;
    const bytes = zeroed(this.#sizeOf(index));
    if (page !== 0) bytes.fill(page);
    this.#pages.set(index, bytes);
    return bytes;
  }

  /** Pages that a range touches, and the part of each. Beyond the region there are none. */
  #each(from: number, to: number, take: (index: number, begin: number, end: number) => void): void {
    const end = Math.min(to, this.#length);
    for (let at = Math.max(0, from); at < end;) {
      const index = Math.floor(at / pageBytes);
      const begin = index * pageBytes;
      take(index, at - begin, Math.min(end - begin, pageBytes));
      at = begin + pageBytes;
    }
  }
}
