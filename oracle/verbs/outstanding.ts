import type { QpStateName } from '../device/qp-state.ts';
import type { Facts } from '../rulebook/tables.ts';
import type { When } from '../spot.ts';

/** What may be wrong with a send work request; see the value `sendFault` of the machine. */
export const sendFaults = [
  'none',
  'key',
  'deregistered',
  'bounds',
  'foreign-pd',
  'rights',
  'elements',
  'operation',
  'inline',
  'length',
  'datagram-length',
  'bind-right',
  'bind-write',
  'bind-bounds',
  'several',
] as const;

/** What becomes of a work request that was taken; see the outcome `becomes`. */
export type Becomes = 'queued' | 'held' | 'flushed';

/** One work request as software sees it, from its post to its completion. */
export interface VerbsWork {
  wrId: number;
  /** state that the QP was in for software */
  postedIn: QpStateName;
  /** by the rules of posting */
  becomes: Becomes;
  /** success is reported */
  signaled: boolean;
  fault: (typeof sendFaults)[number];
  /** it places data: READ and ATOMIC */
  places: boolean;
  /** what is wrong with it may show only behind packets of its own that nobody has answered */
  waits: boolean;
  /** it binds a memory window or invalidates a key of this device, and success is not reported */
  quiet: boolean;
  /** it binds a memory window across protection domains, which is all that is wrong with it */
  foreign: boolean;
  /** memory regions that it names */
  regions: readonly number[];
  /** index of the call in the trace, and its time */
  event: number;
  t: number;
  /** the QP has failed since, so that it must complete */
  doomed: boolean;
  /** it cannot succeed any more: posted after the failure, or behind the work request that failed */
  lost: boolean;
  /** the QP has gone from SQE to RTS since */
  past: boolean;
  /** it was posted in one list with others */
  listed: boolean;
}

/** Whether it has failed with its QP, and completes whatever it asked for. */
export function owesCompletion({ doomed, signaled, lost }: VerbsWork): boolean {
  return doomed && (signaled || lost);
}

/** Outstanding work requests of one queue, in posting order. Beyond `most`, the oldest are forgotten. */
export class WorkList {
  readonly #most: number;
  #items: VerbsWork[] = [];
  #head = 0;
  /** more was posted than is kept, so that a work request may be unknown */
  forgetful = false;
  /** by id: those of a list that the device named as refused, or that stood behind it */
  readonly #left = new Map<number, 'refused' | 'behind'>();

  constructor(most: number) {
    this.#most = Math.max(most, 16) * 4;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  add(item: VerbsWork): void {
    this.#left.delete(item.wrId);
    this.#items.push(item);
    if (this.length > this.#most) {
      this.#head++;
      this.forgetful = true;
    }
    this.#compact();
  }

  /** Place of the oldest item with this id, counted from the oldest outstanding one; -1: there is none. */
  find(wrId: number): number {
    for (let at = this.#head; at < this.#items.length; at++)
      if (this.#items[at]?.wrId === wrId) return at - this.#head;
    return -1;
  }

  /** A work request of a list was not posted. */
  leave(wrId: number, place: 'refused' | 'behind'): void {
    this.#left.set(wrId, place);
  }

  /** Where a work request stood in a list that the device did not post as a whole; `undefined`: in none. */
  left(wrId: number): 'refused' | 'behind' | undefined {
    return this.#left.get(wrId);
  }

  at(place: number): VerbsWork | undefined {
    return this.#items[this.#head + place];
  }

  /** Takes the item out, and all before it. */
  through(place: number): void {
    this.#head += place + 1;
    this.#compact();
  }

  /** Takes the item out, and leaves those before it. */
  remove(place: number): void {
    this.#items.splice(this.#head + place, 1);
  }

  clear(): VerbsWork[] {
    const all = this.all();
    this.#items = [];
    this.#head = 0;
    return all;
  }

  all(): VerbsWork[] {
    return this.#items.slice(this.#head);
  }

  #compact(): void {
    if (this.#head < 64 || this.#head * 2 < this.#items.length) return;
    this.#items.splice(0, this.#head);
    this.#head = 0;
  }
}

/** A work request as it was posted. */
export function newWork(
  wrId: number,
  postedIn: QpStateName,
  becomes: Becomes,
  { event, t }: When,
  listed: boolean,
): VerbsWork {
  return {
    wrId,
    postedIn,
    becomes,
    signaled: true,
    fault: 'none',
    places: false,
    waits: false,
    quiet: false,
    foreign: false,
    regions: [],
    event,
    t,
    doomed: becomes === 'flushed',
    lost: becomes === 'flushed',
    past: false,
    listed,
  };
}

/** Facts of a sound work request that a QP in this state has taken. */
export function takenIn(postedIn: QpStateName): Facts {
  return { postedIn, room: 'free', shape: 'sound', ownQueue: 'used' };
}
