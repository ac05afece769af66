import type { RecvWr } from '../../../spec/verbs.ts';

/** WQEs kept though they are done with, so that one that completes a second time is still known. */
const spare = 512;

/** Completions of an SRQ's WQEs after which one is forgotten; events are kept for fewer. */
const completedKept = 4096;

/**
 * The receive WQEs of a QP or SRQ in the order of their posting, counted from 0; what is long done with may be forgotten. An empty one takes little
 * memory, as a capture has many.
 */
export class ReceiveQueue {
  #wqes: RecvWr[] = [];
  #first = 0;
  /** first WQE of the life that its QP has now */
  #lifeFrom = 0;
  /** of an SRQ: WQEs that have not completed yet */
  #open: Set<RecvWr> | undefined;
  /** those that have, the newest last, with the place of the completion in the trace */
  #completed: { wr: RecvWr; event: number }[] = [];
  /** how many of those kept have the work request id */
  #ids: Map<number, number> | undefined;

  /** Number of WQEs posted so far. */
  get length(): number {
    return this.#first + this.#wqes.length;
  }

  push(wr: RecvWr): void {
    this.#wqes.push(wr);
    const ids = (this.#ids ??= new Map());
    ids.set(wr.wr_id, (ids.get(wr.wr_id) ?? 0) + 1);
  }

  /** Like `push`, for a WQE of an SRQ. */
  share(wr: RecvWr): void {
    this.push(wr);
    (this.#open ??= new Set()).add(wr);
  }

  /** Of an SRQ: the oldest WQE with this id that had not completed before that place in the trace. */
  openAt(wrId: number, event: number): RecvWr | undefined {
    for (const wr of this.openFrom(event)) if (wr.wr_id === wrId) return wr;
    return undefined;
  }

  /** Of an SRQ: WQEs that had not completed before that place in the trace. */
  *openFrom(event: number): Generator<RecvWr> {
    for (const done of this.#completed) if (done.event >= event) yield done.wr;
    if (this.#open !== undefined) yield* this.#open;
  }

  /** A WQE of an SRQ has completed. */
  completed(wrId: number, event: number): void {
    const wr = this.openAt(wrId, event + 1);
    if (wr === undefined || this.#open?.delete(wr) !== true) return;
    this.#completed.push({ wr, event });
    if (this.#completed.length > 2 * completedKept) this.#completed = this.#completed.slice(-completedKept);
  }

  at(index: number): RecvWr | undefined {
    return this.#wqes[index - this.#first];
  }

  /** WQEs `from .. to`, `to` excluded. */
  between(from: number, to: number): RecvWr[] {
    return this.#wqes.slice(Math.max(0, from - this.#first), Math.max(0, to - this.#first));
  }

  /** Whether a WQE with this id is known. */
  has(wrId: number): boolean {
    return this.#ids?.has(wrId) === true;
  }

  /** RESET takes from its QP what is posted. */
  forget(): void {
    this.#lifeFrom = this.length;
  }

  /** Whether WQEs with this id were posted before the last RESET alone. */
  isForgotten(wrId: number): boolean {
    return this.has(wrId) && !this.between(this.#lifeFrom, this.length).some((wr) => wr.wr_id === wrId);
  }

  /** Nobody asks for WQEs before `index` any more; the newest of them are kept all the same. */
  doneWith(index: number): void {
    const count = index - this.#first - spare;
    if (count < spare) return;
    for (const { wr_id: id } of this.#wqes.splice(0, count)) {
      const left = (this.#ids?.get(id) ?? 0) - 1;
      if (left > 0) this.#ids?.set(id, left);
      else this.#ids?.delete(id);
    }
    this.#first += count;
  }
}
