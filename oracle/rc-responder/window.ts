import type { Qp } from '../device/qp.ts';
import { captured, SearchWork, watched } from '../device/search-work.ts';
import { commitMemory, isLong } from '../device/memory.ts';
import { requestShape } from '../device/packet/opcode-shape.ts';
import type { Taken } from '../device/queues/takers.ts';
import { ResponderState } from './state.ts';
import { detachNewest } from './entry.ts';
import type { Entry, RequestEntry } from './entry.ts';
import type { Elsewhere } from './capture/late.ts';
import type { ResponderRules } from './rules.ts';
import { search } from './search.ts';

/** Entries after which it is tried to keep fewer. */
const step = 512;
export const statesKept = 256;

/** Notes for good what a state holds of choices. */
export type Choose = (state: ResponderState) => void;

/** What a responder has seen since the last certain point, and the states that it may have been in then. */
export class ReplayWindow {
  readonly #connection: Qp;
  readonly #rules: ResponderRules;
  readonly #choose: Choose;
  readonly #work: SearchWork;
  /** that of a QP which has just been made; a capture has many QPs, and is never asked for it */
  #begun: ResponderState | undefined;
  #checkpoint: readonly ResponderState[] = [];
  #window: Entry[] = [];
  /** the newest request, and the newest that the device has looked at for sure: places in the trace */
  #newest = -1;
  #looked = -1;

  /** `choose` is called with states that judging will not go back beyond. */
  constructor(connection: Qp, rules: ResponderRules, start: ResponderState, choose: Choose) {
    this.#connection = connection;
    this.#rules = rules;
    this.#choose = choose;
    this.#work = new SearchWork(connection.atDevice ? watched : captured);
    this.begin([start]);
  }

  get length(): number {
    return this.#window.length;
  }

  get requests(): RequestEntry[] {
    return this.#window.filter((entry) => entry.kind === 'request');
  }

  /** Whether there may be requests that the device has not looked at, so that calls made now race with them. */
  get racing(): boolean {
    return this.#looked < this.#newest;
  }

  /** WQEs that the responder has taken of its queue until now. */
  get taken(): Taken {
    const counts = this.#checkpoint.map(({ rqHead, completions }) => ({
      least: rqHead - completions.filter(({ optional }) => optional).length,
      most: rqHead,
    }));
    const mayTake = this.#rules.machine.flag('mayTake');
    const begun = (this.#begun ??= ResponderState.first(this.#rules.machine, this.#connection));
    const since = this.requests.filter(({ packet: { opcode } }) =>
      mayTake({ opcode: requestShape(opcode) }, begun),
    ).length;
    return {
      least: Math.min(...counts.map(({ least }) => least)),
      most: Math.max(...counts.map(({ most }) => most)) + since,
    };
  }

  push(entry: Entry): void {
    this.#work.earn();
    this.#window.push(entry);
    if (entry.kind === 'request') this.#newest = entry.event;
  }

  /** What is kept of packets holds no part of the capture that they are from. */
  detach(): void {
    detachNewest(this.#window);
  }

  /** The newest entry shows nothing. */
  pop(): void {
    this.#window.pop();
  }

  /** Packets are looked at in turn: the device answered the request at this place in the trace. */
  answered(event: number): void {
    this.#looked = Math.max(this.#looked, event);
  }

  /** The likeliest of the states that it began in. */
  get start(): ResponderState | undefined {
    return this.#checkpoint[0];
  }

  /** Begins anew, in one of these states. */
  begin(states: readonly ResponderState[]): void {
    for (const state of states) {
      state.callsApplied = 0;
      if (state.changed.length > 0) state.changed = [];
    }
    const kept = states.length > statesKept ? states.slice(0, statesKept) : states;
    this.#checkpoint = kept.map((state) => state.clone());
    if (this.#window.length > 0) this.#window = [];
    this.#looked = this.#newest;
    this.#forgetReceives();
  }

  /** It was in this state behind the request at that place in the trace, and has answered nothing that came since. */
  beginBehind(state: ResponderState, event: number): void {
    const rest = this.requests.filter((entry) => entry.event > event);
    this.begin([state]);
    this.#window = rest;
    this.#looked = event;
  }

  /** Begins anew in a state that is certain. */
  beginCertain(state: ResponderState): void {
    this.#choose(state);
    if (isLong(state.memory)) this.fold(state);
    this.begin([state]);
  }

  /** States that explain everything that was seen, but for the newest `but` entries; likeliest first. */
  ways(
    accept: (state: ResponderState) => boolean,
    { elsewhere, but = 0, some }: { elsewhere?: Elsewhere; but?: number; some?: true } = {},
  ): ResponderState[] | 'too many' {
    const window = but === 0 ? this.#window : this.#window.slice(0, -but);
    const options = { ...(elsewhere && { elsewhere }), ...(some && { some }) };
    return search(this.#connection, this.#rules, this.#checkpoint, window, this.#work, accept, options);
  }

  /** Now and then, forgets what came before the oldest request that the device may not have looked at. Gives the state as `cut` does. */
  shorten(): ResponderState | undefined {
    const { length } = this.#window;
    if (length === 0 || length % step !== 0 || this.#firstOpen() < step / 2) return undefined;
    return this.cut();
  }

  /** Where the oldest request stands that the device may not have looked at. */
  #firstOpen(): number {
    const open = this.#window.findIndex(({ kind, event }) => kind === 'request' && event > this.#looked);
    return open < 0 ? this.#window.length : open;
  }

  /**
   * Forgets what came before the oldest request that the device may not have looked at. Gives the state after all that was seen that is likeliest;
   * `undefined` where everything is kept, since there are too many ways or none.
   */
  cut(): ResponderState | undefined {
    const window = this.#window;
    const until = this.#firstOpen();
    const find = (from: readonly ResponderState[], events: readonly Entry[], end: number) =>
      search(this.#connection, this.#rules, from, events, this.#work, () => true, { until: end });
    const states = find(this.#checkpoint, window, until);
    if (states === 'too many' || states.length > statesKept) return undefined;
    const [only] = states;
    if (only === undefined) return undefined;
    const calls = window.slice(0, until).filter(({ kind }) => kind === 'call').length;
    for (const state of states) state.callsApplied -= calls;
    const rest = window.slice(until);
    let now = find(states, rest, rest.length);
    if (now === 'too many') return undefined;
    if (states.length === 1) {
      this.#choose(only);
      this.fold(only);
      // what was found before builds on memory that is committed now
      now = find(states, rest, rest.length);
    }
    const likeliest = now === 'too many' ? undefined : now[0];
    if (likeliest === undefined) return undefined;
    this.#checkpoint = states;
    this.#window = rest;
    this.#forgetReceives();
    likeliest.callsApplied = 0;
    return likeliest;
  }

  /** What the only way left did to memory is what was done. */
  fold(state: ResponderState): void {
    commitMemory(state.memory);
    state.memory = undefined;
  }

  #forgetReceives(): void {
    // the WQEs of such an SRQ go as they complete
    if (this.#connection.contested !== undefined) return;
    let head = Number.POSITIVE_INFINITY;
    for (const { rqHead } of this.#checkpoint) head = Math.min(head, rqHead);
    this.#connection.posted.doneWith(head);
  }
}
