import type { PendingReply } from './pending.ts';

type Kinds = Readonly<Record<'reads' | 'atomics', number>>;
const neither: Kinds = { reads: 0, atomics: 0 };

/**
 * Responses that are pending, oldest first. A list is never changed; one that has another response more shares its memory, so that adding
 * costs the same however many there are.
 */
export class PendingReplies {
  static readonly none = new PendingReplies([], 0, 0, neither);
  readonly #items: PendingReply[];
  readonly #from: number;
  readonly #to: number;
  readonly #kinds: Kinds;

  private constructor(items: PendingReply[], from: number, to: number, kinds: Kinds) {
    this.#items = items;
    this.#from = from;
    this.#to = to;
    this.#kinds = kinds;
  }

  static of(items: PendingReply[]): PendingReplies {
    return new PendingReplies(
      items,
      0,
      items.length,
      items.reduce((kinds, reply) => counted(kinds, reply), neither),
    );
  }

  get length(): number {
    return this.#to - this.#from;
  }

  /** READs among them. */
  get reads(): number {
    return this.#kinds.reads;
  }

  /** READs and ATOMICs among them. */
  get withData(): number {
    return this.#kinds.reads + this.#kinds.atomics;
  }

  at(index: number): PendingReply | undefined {
    return index >= 0 && index < this.length ? this.#items[this.#from + index] : undefined;
  }

  /** Place of the oldest answer to a request that came again; -1: none did. */
  get firstRepeat(): number {
    for (let i = this.#from; i < this.#to; i++) if (this.#items[i]?.repeat === true) return i - this.#from;
    return -1;
  }

  findLast(wanted: (reply: PendingReply) => boolean): PendingReply | undefined {
    for (let i = this.#to - 1; i >= this.#from; i--) {
      const item = this.#items[i];
      if (item !== undefined && wanted(item)) return item;
    }
    return undefined;
  }

  /** With one more behind the others. */
  with(reply: PendingReply): PendingReplies {
    // what is done with in front of it goes when it is the more
    const shared = this.length > 0 && this.#items.length === this.#to && this.#from <= this.length;
    const items = shared ? this.#items : this.list();
    items.push(reply);
    return new PendingReplies(items, shared ? this.#from : 0, items.length, counted(this.#kinds, reply));
  }

  /** Without the `count` oldest. */
  without(count: number): PendingReplies {
    if (count >= this.length) return PendingReplies.none;
    const from = this.#from + count;
    let kinds = this.#kinds;
    for (let i = this.#from; i < from; i++) kinds = counted(kinds, this.#items[i], -1);
    return new PendingReplies(this.#items, from, this.#to, kinds);
  }

  /** These in the place of the `count` oldest. */
  replaced(count: number, first: readonly PendingReply[]): PendingReplies {
    const rest = this.without(count);
    return first.length === 0 ? rest : PendingReplies.of([...first, ...rest.list()]);
  }

  list(): PendingReply[] {
    return this.#items.slice(this.#from, this.#to);
  }
}

/** The counts with so many more of the kind of the reply. */
function counted(kinds: Kinds, reply: PendingReply | undefined, more = 1): Kinds {
  if (reply?.kind === 'read') return { ...kinds, reads: kinds.reads + more };
  return reply?.kind === 'atomic' ? { ...kinds, atomics: kinds.atomics + more } : kinds;
}
