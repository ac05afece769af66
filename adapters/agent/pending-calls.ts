import type { CallName } from './protocol.ts';

/** A call whose answer has not come. */
export interface Pending {
  name: CallName;
  /** when it was sent, milliseconds of `performance.now()` */
  asked: number;
  /** how long it may go unanswered while nothing else is heard, milliseconds */
  limitMs: number;
  take: (value: unknown) => void;
  fail: (error: Error) => void;
}

/** The calls of one client whose answers have not come, and the one timer that bounds how long they may wait. */
export class PendingCalls {
  readonly #calls = new Map<number, Pending>();
  /** those who wait until nothing is pending */
  readonly #idle: { resolve: () => void; reject: (error: Error) => void }[] = [];
  readonly #late: (call: Pending) => void;
  #nextId = 1;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  /** when the other side last said anything, or this process may have been kept from hearing it */
  #heard = -Infinity;

  /** `late`: is called when a call has waited for as long as it may. */
  constructor(late: (call: Pending) => void) {
    this.#late = late;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Gives the id of the call. */
  add(call: Pending): number {
    const id = this.#nextId++;
    this.#calls.set(id, call);
    this.#arm(call.asked + call.limitMs);
    return id;
  }

  /** The other side has said something. */
  hear(): void {
    this.#heard = performance.now();
  }

  /** Takes out the call that was answered; `what`: how an error calls the answer. Throws where there is no such call. */
  answered(id: number, what: string): Pending {
    const call = this.#calls.get(id);
    if (call === undefined) {
      const why = id < this.#nextId ? 'which has its answer already' : 'which was not asked';
      throw new Error(`${what} ${id}, ${why}`);
    }
    this.#calls.delete(id);
    return call;
  }

  /** The answer was none: the call ends with all others. */
  putBack(id: number, call: Pending): void {
    this.#calls.set(id, call);
  }

  /** Lets go on who waits for it, if nothing is pending. */
  rest(): void {
    if (this.#calls.size === 0) for (const { resolve } of this.#idle.splice(0)) resolve();
  }

  /** Resolves when nothing is pending; rejects with what ends that. */
  idle(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#calls.size === 0) resolve();
      else this.#idle.push({ resolve, reject });
    });
  }

  /** Ends all of them with that error, and the timer. */
  end(error: Error): void {
    clearTimeout(this.#timer);
    for (const call of this.#calls.values()) call.fail(error);
    this.#calls.clear();
    for (const { reject } of this.#idle.splice(0)) reject(error);
  }

  #arm(due: number): void {
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    // what has arrived already is read first
    this.#timer = setTimeout(() => setImmediate(() => this.#look()), Math.max(1, due - performance.now()));
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#due > lateMs) this.#heard = now;
    this.#due = Infinity;
    let earliest = Infinity;
    for (const call of this.#calls.values()) {
      const due = this.#dueOf(call);
      if (due <= now) return this.#late(call);
      earliest = Math.min(earliest, due);
    }
    this.#arm(earliest);
  }

  /** A call may wait behind others, as long as these are answered. */
  #dueOf({ asked, limitMs }: Pending): number {
    return Math.min(Math.max(asked, this.#heard) + limitMs, asked + mostLimits * limitMs);
  }
}

/** Limits that a call may wait at most, however much else is answered. */
const mostLimits = 10;
/** This process was kept from running where its watch comes later than this. */
const lateMs = 500;
