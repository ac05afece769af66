import type { ResponderState } from './state.ts';
import type { Entry } from './entry.ts';

type Call = Entry & { kind: 'call' };

/**
 * The verbs calls among events. A call made after a packet was delivered may have taken effect before the device looked at
 * the packet; a state counts those that have (`callsApplied`).
 */
export class Calls {
  readonly #calls: readonly Call[];
  readonly #numbers: ReadonlyMap<Entry, number>;
  /** number of the next call, from each on, that does more than post a receive WQE */
  readonly #nextOther: readonly number[];

  constructor(events: readonly Entry[]) {
    this.#calls = events.filter((entry) => entry.kind === 'call');
    this.#numbers = new Map(this.#calls.map((call, number) => [call, number]));
    const nextOther: number[] = [];
    let next = this.#calls.length;
    for (let number = next - 1; number >= 0; number--) {
      if (this.#calls[number]?.posts !== true) next = number;
      nextOther[number] = next;
    }
    this.#nextOther = nextOther;
  }

  /** Applies the call, and those before it, to a state where it has had no effect yet. */
  apply(state: ResponderState, call: Call): void {
    this.#applyUntil(state, (this.#numbers.get(call) ?? -1) + 1);
  }

  /**
   * The state, and those in which calls have had their effect already: for each difference that they make, the fewest.
   * `waits`: a receive WQE is surely there.
   */
  *madeEarly(state: ResponderState, waits: (state: ResponderState) => boolean): Generator<ResponderState> {
    yield state;
    let last = state;
    for (;;) {
      const until = this.#telling(last, waits);
      if (until > this.#calls.length) return;
      last = last.clone();
      this.#applyUntil(last, until);
      yield last;
    }
  }

  /** How many calls must have had their effect for a packet to fare otherwise; where none can make it, more than there are. */
  #telling(state: ResponderState, waits: (state: ResponderState) => boolean): number {
    const { callsApplied } = state;
    if (callsApplied >= this.#calls.length) return callsApplied + 1;
    // where a receive WQE is waiting, a further one makes no difference
    const next = waits(state) ? this.#nextOther[callsApplied] : callsApplied;
    return (next ?? this.#calls.length) + 1;
  }

  #applyUntil(state: ResponderState, until: number): void {
    for (let number = state.callsApplied; number < until; number++) this.#calls[number]?.apply(state);
    state.callsApplied = Math.max(state.callsApplied, until);
  }
}
