import type { Packet } from '../../../wire/packet.ts';
import { commitMemory } from '../../device/memory.ts';
import type { Taken } from '../../device/queues/takers.ts';
import type { UnreliableQp } from '../qp.ts';
import type { UnreliableBook } from '../tables.ts';
import { leaveUnbound } from '../words/memory.ts';
import { Arrival } from './arrival.ts';
import { takes, type Receipt } from './completion.ts';
import { behindPacket, type Course } from './course.ts';
import type { ReceiveWays } from './possible-states.ts';
import { transitionsFor } from './receive.ts';
import { mayTake, sharedCases } from './shared-cases.ts';
import type { ReceiveState } from './state.ts';

const statesKept = 128;
const windowLimit = 1024;

type Entry = { packet: Packet; event: number } | Receipt | { apply: (state: ReceiveState) => void };

/**
 * Every state that a conformant receiver may be in whose SRQ other QPs take from as well. What is not at rest is followed anew where another
 * QP, or a receive WQE that is posted, leaves more ways than there seemed to be.
 */
export class SharedReceiveStates implements ReceiveWays {
  readonly #qp: UnreliableQp;
  readonly #book: UnreliableBook;
  readonly #giveUp: (why: string) => void;
  /** at the last rest, and what has come since */
  #base: readonly ReceiveState[];
  #window: Entry[] = [];
  #all: ReceiveState[];
  #stale = false;

  /** `giveUp`: there is too much to follow */
  constructor(
    qp: UnreliableQp,
    book: UnreliableBook,
    giveUp: (why: string) => void,
    start: readonly ReceiveState[],
  ) {
    this.#qp = qp;
    this.#book = book;
    this.#giveUp = giveUp;
    this.#base = start.map((state) => state.clone());
    this.#all = [...start];
  }

  get all(): readonly ReceiveState[] {
    if (this.#stale) this.#follow();
    return this.#all;
  }

  get likeliest(): ReceiveState {
    return this.all[0] as ReceiveState;
  }

  get taken(): Taken {
    const since = this.#window.filter((entry) => 'packet' in entry && mayTake(entry.packet)).length;
    return {
      // one that is given back was never taken
      least: Math.min(...this.#base.map(({ rqHead, wqe }) => (wqe < 0 ? rqHead : rqHead - 1))),
      most: Math.max(...this.#base.map(({ rqHead }) => rqHead)) + since,
    };
  }

  packet(packet: Packet, event: number): readonly Course[] {
    const { all } = this;
    // what the others had taken is asked for when the packet comes
    this.#qp.contested?.takers.besides(this.#qp, packet);
    this.#see({ packet, event });
    const { courses, after } = this.#after({ packet, event }, all);
    this.#become(after);
    if (mayTake(packet)) this.#qp.contested?.takers.contend(this.#qp, this.#qp.posted.length);
    return courses;
  }

  completion(receipt: Receipt, left: ReceiveState[]): void {
    this.#all = left;
    this.#see(receipt);
  }

  settle(left: ReceiveState[]): void {
    for (const state of left) if (state.wqe >= 0) leaveUnbound(this.#qp, state, Number.POSITIVE_INFINITY);
    const [only, other] = left;
    if (only !== undefined && other === undefined) {
      commitMemory(only.memory);
      only.memory = undefined;
    }
    this.#all = left;
    this.#base = left.map((state) => state.clone());
    this.#window = [];
    this.#stale = false;
  }

  change(apply: (state: ReceiveState) => void): void {
    const { all } = this;
    for (const state of all) apply(state);
    if (this.#window.length > 0) this.#see({ apply });
    else for (const state of this.#base) apply(state);
  }

  posted(): void {
    this.#stale = this.#window.some((entry) => 'packet' in entry);
  }

  contended(): void {
    this.posted();
  }

  /** Its neighbours would have to be followed as well. */
  stop(): boolean {
    return false;
  }

  /** All ways from the last rest on. */
  #follow(): void {
    this.#stale = false;
    let states = this.#base.map((state) => state.clone());
    for (const entry of this.#window) {
      if ('packet' in entry) states = this.#after(entry, states).after;
      else if ('apply' in entry) for (const state of states) entry.apply(state);
      else states = states.filter((state) => takes(this.#qp, state, entry));
    }
    if (states.length > 0) this.#become(states);
  }

  /** The states behind a packet, and the courses of the first of those in front of it. */
  #after(
    { packet, event }: { packet: Packet; event: number },
    states: readonly ReceiveState[],
  ): { courses: readonly Course[]; after: ReceiveState[] } {
    const seen = { qp: this.#qp, book: this.#book, packet, event };
    const srq = this.#qp.contested;
    return behindPacket(states, (state) => {
      const cases = srq === undefined ? [undefined] : sharedCases(this.#qp, srq, state, seen);
      return cases.flatMap((one) => transitionsFor(new Arrival(seen, state, one)));
    });
  }

  #become(states: ReceiveState[]): void {
    this.#all = states;
    if (states.length > statesKept) this.#giveUp('too many ways to explain what was seen');
  }

  #see(entry: Entry): void {
    this.#window.push(entry);
    if (this.#window.length > windowLimit) this.#giveUp('more packets of an SRQ than the oracle keeps');
  }
}
