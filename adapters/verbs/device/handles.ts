import { VerbsError } from '../../adapter.ts';

const einval = 22;

/** Objects of one kind, by the numbers that callers know them by. */
export class Handles<T> {
  readonly #all = new Map<number, T>();
  readonly #number: () => number;

  /** `number` gives one that no object has had. */
  constructor(number: () => number) {
    this.#number = number;
  }

  /** A number for an object that is about to be made. */
  next(): number {
    return this.#number();
  }

  add(value: T, handle = this.next()): number {
    this.#all.set(handle, value);
    return handle;
  }

  /** VerbsError of the call, EINVAL, where there is none. */
  get(call: string, handle: number): T {
    const found = this.#all.get(handle);
    if (found === undefined) throw new VerbsError(call, einval);
    return found;
  }

  delete(handle: number): void {
    this.#all.delete(handle);
  }

  /** The first object that is so, and its number. */
  find(is: (value: T) => boolean): [number, T] | undefined {
    return [...this.#all].find(([, value]) => is(value));
  }

  /** Numbers of the objects; some may be deleted meanwhile. */
  handles(): Iterable<number> {
    return this.#all.keys();
  }
}
