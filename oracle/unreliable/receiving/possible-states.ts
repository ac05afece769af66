import type { Packet } from '../../../wire/packet.ts';
import { commitMemory } from '../../device/memory.ts';
import { anyNumber, type Taken } from '../../device/queues/takers.ts';
import { takes, type Receipt } from './completion.ts';
import { Arrival } from './arrival.ts';
import type { UnreliableQp } from '../qp.ts';
import { behindPacket, type Course } from './course.ts';
import { transitionsFor } from './receive.ts';
import { stoppedAnywhere, type Since } from './stopped.ts';
import { gather, ReceiveState } from './state.ts';
import type { UnreliableBook } from '../tables.ts';

const statesKept = 128;
const snapshotsKept = 128;
const windowLimit = 4096;
const commitEvery = 256;
const sinceKept = 256;

type Seen = { packet: Packet; event: number } | Receipt;

/** All states that a receiver may be in. */
export interface ReceiveWays {
  /** the likeliest first; never empty */
  readonly all: readonly ReceiveState[];
  readonly likeliest: ReceiveState;
  /** receive WQEs that it has taken until now */
  readonly taken: Taken;
  /** A packet has come; gives the ways that it may go, the likeliest first; none where it changes nothing. */
  packet(packet: Packet, event: number): readonly Course[];
  /** What is left of the states after a completion. */
  completion(receipt: Receipt, left: ReceiveState[]): void;
  /** Everything due has had its time: nothing that came before counts any more. */
  settle(left: ReceiveState[]): void;
  /** Software has changed something. */
  change(apply: (state: ReceiveState) => void): void;
  /** A receive WQE was posted: packets that found none since the last rest may have found it. */
  posted(): void;
  /** Another QP may have taken a WQE that this one had found waiting. */
  contended(): void;
  /** Software stops the QP: what came since the last rest may have been looked at or not. False where that cannot be followed. */
  stop(): boolean;
}

/**
 * Every state that a conformant receiver may be in. A packet that finds no receive WQE is looked at again if one is posted before the
 * device had time to settle.
 */
export class PossibleReceiveStates implements ReceiveWays {
  /** the likeliest first; never empty */
  all: ReceiveState[];
  readonly #qp: UnreliableQp;
  readonly #book: UnreliableBook;
  readonly #giveUp: (why: string) => void;
  #packets = 0;
  /** states in front of packets that found no receive WQE, and all since the first of them */
  #snapshots: { state: ReceiveState; from: number; key: string }[] = [];
  #window: Seen[] = [];
  /** at the last rest, and what has come since; `undefined`: that is too long ago */
  #base: readonly ReceiveState[] | undefined = [];
  #since: Since[] = [];

  /** `giveUp`: there is too much to follow */
  constructor(qp: UnreliableQp, book: UnreliableBook, giveUp: (why: string) => void) {
    this.#qp = qp;
    this.#book = book;
    this.#giveUp = giveUp;
    this.all = [ReceiveState.first(book.tables.machine, qp)];
  }

  /** Nobody else takes from its queue. */
  get taken(): Taken {
    return anyNumber;
  }

  contended(): void {}

  get likeliest(): ReceiveState {
    return this.all[0] as ReceiveState;
  }

  /** A packet has come; gives the ways that it may go, the likeliest first; none where it changes nothing. */
  packet(packet: Packet, event: number): readonly Course[] {
    if (this.#since.length === 0) this.#base = this.all.map((state) => state.clone());
    this.#note({ packet, event });
    const { courses, after } = this.#after({ packet, event }, this.all, this.#window.length);
    this.#become(after);
    if (this.#snapshots.length > 0) this.#see({ packet, event });
    if (++this.#packets % commitEvery === 0) this.#commit();
    return courses;
  }

  /** What is left of the states after a completion. */
  completion(receipt: Receipt, left: ReceiveState[]): void {
    this.all = left;
    this.#note(receipt);
    if (this.#snapshots.length > 0) this.#see(receipt);
  }

  /** Everything due has had its time: nothing that came before counts any more. */
  settle(left: ReceiveState[]): void {
    this.all = left;
    this.#snapshots = [];
    this.#window = [];
    this.#since = [];
    this.#commit();
  }

  /** Software has changed something. */
  change(apply: (state: ReceiveState) => void): void {
    this.#note({ apply });
    for (const state of this.all) apply(state);
  }

  stop(): boolean {
    const base = this.#base;
    if (this.#since.length === 0) return true;
    if (base === undefined || this.#snapshots.length > 0) return false;
    const stopped = stoppedAnywhere(this.#qp, this.#book, base, this.#since);
    if (stopped.length === 0) return false;
    this.#since = [];
    this.#window = [];
    this.#become(stopped);
    return true;
  }

  /** A receive WQE was posted: packets that found none since the last rest may have found it. */
  posted(): void {
    if (this.#snapshots.length === 0) return;
    const found = new Map(this.all.map((state) => [state.key(), state]));
    for (const { state, from } of this.#snapshots.slice())
      for (const replayed of this.#replay(state.clone(), from)) gather(found, replayed);
    this.#become([...found.values()]);
  }

  #replay(start: ReceiveState, from: number): ReceiveState[] {
    this.#book.tables.machine.step('posted')({ qp: this.#qp }, start);
    let states = [start];
    for (const [i, seen] of this.#window.slice(from).entries()) {
      if (states.length === 0) break;
      states =
        'wc' in seen
          ? states.filter((state) => takes(this.#qp, state, seen))
          : this.#after(seen, states, from + i).after;
    }
    return states;
  }

  /** The states behind a packet, and the courses of the first of those in front of it. */
  #after(
    { packet, event }: { packet: Packet; event: number },
    states: readonly ReceiveState[],
    at: number,
  ): { courses: readonly Course[]; after: ReceiveState[] } {
    const seen = { qp: this.#qp, book: this.#book, packet, event };
    return behindPacket(states, (state) => {
      const courses = transitionsFor(new Arrival(seen, state));
      if (courses.some(({ starved }) => starved)) this.#snapshot(state, at);
      return courses;
    });
  }

  #become(states: ReceiveState[]): void {
    this.all = states;
    if (states.length > statesKept) this.#giveUp('too many ways to explain what was seen');
  }

  #snapshot(state: ReceiveState, from: number): void {
    const key = state.key();
    if (this.#snapshots.some((known) => known.from === from && known.key === key)) return;
    if (this.#snapshots.length >= snapshotsKept)
      return this.#giveUp('too many packets without a receive WQE');
    this.#snapshots.push({ state, from, key });
  }

  #note(entry: Since): void {
    if (this.#since.length > 0 || 'packet' in entry) this.#since.push(entry);
    if (this.#since.length > sinceKept) this.#base = undefined;
  }

  #see(seen: Seen): void {
    this.#window.push(seen);
    if (this.#window.length > windowLimit)
      this.#giveUp('more packets without a receive WQE than the oracle keeps');
  }

  /** Where one way is left, nothing can go back behind what it did. */
  #commit(): void {
    const [only, other] = this.all;
    if (only === undefined || other !== undefined || this.#snapshots.length > 0) return;
    commitMemory(only.memory);
    only.memory = undefined;
    if (this.#since.length > 0) this.#base = undefined;
    this.#qp.posted.doneWith((only.due[0]?.wqe ?? only.rqHead) - 1);
  }
}
