import type { Qp } from '../device/qp.ts';
import { anyNumber, type Taken } from '../device/queues/takers.ts';
import { RuleAttribution } from './responses/attribution.ts';
import type { CaptureVisibility } from './capture/visibility.ts';
import type { Entry, RequestEntry } from './entry.ts';
import type { ResponderReport } from './report.ts';
import { psnDiff } from '../../wire/psn.ts';
import type { ResponderRules } from './rules.ts';
import { ResponderState, unknownState } from './state.ts';
import { ReplayWindow, statesKept } from './window.ts';

const windowLimit = 2048;
/** Ways of which all that was seen is still searched, where a call may make more of them. */
const fewWays = 64;
/** Responses of a capture that may be pending; half of it is as far back as a response can be identified by its PSN. */
const pendingLimit = 0x2000;

/** Why judging cannot go on from here; without words where a violation has said it. */
export interface Stopped {
  why?: string;
}

/** Why little is known of a responder for a while. */
export const manyWays = 'stretches of a connection that more ways explain than can be followed';
export const tooManyWays: Stopped = { why: 'too many ways to explain what was seen' };

/**
 * The states that a responder may be in. Events are followed along the likeliest way at once; where the rules or the sight leave
 * more than one way, the events since the last certain point are kept, so that a way which explains all of them can be searched.
 */
export class PossibleResponderStates {
  /** the likeliest */
  state: ResponderState;
  /** packets have arrived since everything was last known to be at rest, so that calls made now may race with them */
  unsettled = false;
  /** rules or sight leave more than one way since the last certain point */
  ambiguous = false;
  /** there were more events than are kept: what follows rests on a guess until the next certain point */
  guessing = false;
  /** what was decided since everything was last at rest */
  readonly attribution: RuleAttribution;
  readonly #connection: Qp;
  readonly #rules: ResponderRules;
  readonly #report: ResponderReport;
  readonly #window: ReplayWindow;
  readonly #sight: CaptureVisibility | undefined;

  /** `sight`: of a capture; of a device every packet is seen. */
  constructor(
    connection: Qp,
    rules: ResponderRules,
    report: ResponderReport,
    sight: CaptureVisibility | undefined,
  ) {
    this.#connection = connection;
    this.#rules = rules;
    this.#report = report;
    this.#sight = sight;
    this.state = ResponderState.first(rules.machine, connection);
    this.#window = new ReplayWindow(connection, rules, this.state, (state) => report.chose(state));
    this.attribution = new RuleAttribution((seen) => rules.demands.unasked(this.state, seen));
  }

  /** Whether there may be requests that the device has not looked at, so that calls made now race with them. */
  get racing(): boolean {
    return this.#window.racing;
  }

  /** WQEs that the responder has taken of its queue until now. */
  get taken(): Taken {
    return this.guessing ? anyNumber : this.#window.taken;
  }

  /** Events since the last certain point. */
  get length(): number {
    return this.#window.length;
  }

  /** Requests since the last certain point. */
  get requests(): RequestEntry[] {
    return this.#window.requests;
  }

  /** An event that the states are to explain. */
  push(entry: Entry): void {
    if (entry.kind === 'request') this.#noteRequest(entry);
    if (this.#sight === undefined) this.state = this.#window.shorten() ?? this.state;
    if (this.#window.length >= windowLimit) {
      this.#report.chose(this.state);
      this.begin([this.state]);
      this.guessing = true;
    }
    if (this.#sight !== undefined && this.state.replies.length > pendingLimit) this.#letGo();
    this.#window.push(entry);
  }

  /** The oldest that are pending are forgotten: a response to one of them is in doubt. */
  #letGo(): void {
    const half = pendingLimit / 2;
    this.#report.skip(`requests that are not answered before ${half} others have come`, half);
    this.state.replies = this.state.replies.without(half);
    this.begin([this.state]);
    this.guessing = true;
  }

  #noteRequest(entry: RequestEntry): void {
    this.unsettled = true;
    // its header before the damage is unknown
    if (!entry.packet.icrcOk) return;
    if (this.#sight?.isFar(entry.packet.psn) === true) {
      this.#sight.mayBeginAnew = true;
      this.restart();
    }
    this.#sight?.saw(entry);
  }

  /** What is kept of packets holds no part of the capture that they are from. */
  detach(): void {
    this.#window.detach();
    this.#sight?.detach();
  }

  /** The newest event shows nothing. */
  pop(): void {
    this.#window.pop();
  }

  /** All of them, likeliest first; the likeliest alone where there are too many. */
  get all(): readonly ResponderState[] {
    const ways = this.ambiguous && this.#sight === undefined ? this.#window.ways(() => true) : [];
    return ways === 'too many' || ways.length === 0 ? [this.state] : ways;
  }

  /** States that explain all events; likeliest first. */
  search(accept: (state: ResponderState) => boolean): ResponderState[] | 'too many' {
    const found = this.#window.ways(accept);
    if (this.#sight === undefined || found === 'too many' || found.length > 0) return found;
    return this.#window.ways(accept, { elsewhere: this.#sight.elsewhere });
  }

  /** Whether one of the likelier ways explains all events of a capture, where all ways are too many. */
  get explained(): boolean {
    if (this.#sight === undefined) return false;
    for (const elsewhere of [undefined, this.#sight.elsewhere]) {
      const found = this.#window.ways(() => true, { some: true, ...(elsewhere && { elsewhere }) });
      if (found !== 'too many' && found.length > 0) return true;
    }
    return false;
  }

  /** States that explain all events but the newest one; none where one way is certain, or there are too many. */
  beforeNewest(): readonly ResponderState[] {
    if (!this.ambiguous || this.#sight !== undefined) return [];
    const ways = this.#window.ways(() => true, { but: 1 });
    return ways === 'too many' ? [] : ways;
  }

  /** Takes another way that explains all events, if there is one. */
  otherWay(): boolean | 'too many' {
    if (!this.ambiguous && this.#sight === undefined) return false;
    const survivors = this.search(() => true);
    if (survivors === 'too many') return survivors;
    if (this.#sight !== undefined)
      survivors.sort((a, b) => Number(a.qpState === 'ERR') - Number(b.qpState === 'ERR'));
    const first = survivors[0];
    if (first === undefined) return false;
    if (this.#sight === undefined) {
      this.#window.answered(Math.min(...survivors.map(({ looked }) => looked)));
      // a call that is still to come may have its effect before a request that the device has not looked at
      if (this.racing && survivors.length <= fewWays) {
        first.callsApplied = 0;
        this.state = this.#window.cut() ?? first;
        return true;
      }
    }
    // the way that was taken may be among those let go
    if (survivors.length > statesKept) this.guessing = true;
    this.state = first;
    this.begin(survivors);
    this.ambiguous = survivors.length > 1 || this.#sight !== undefined;
    return true;
  }

  /** Keeps all ways that explain all events, where several do, and none where they are too many. Gives whether one alone does. */
  agree(): boolean {
    const ways = this.search(() => true);
    if (ways === 'too many') {
      this.restart();
      return false;
    }
    if (ways.length <= 1) return true;
    this.guessing ||= ways.length > statesKept;
    this.begin(ways);
    this.ambiguous = true;
    return false;
  }

  /** The device answered the request at this place in the trace, if it is one. */
  answered(event: number | undefined): void {
    if (event !== undefined) this.#window.answered(event);
    // the device has looked at every request, in one way only: what comes does not reach back
    if (this.state.replies.length === 0 && !this.ambiguous && !this.racing)
      this.#window.beginCertain(this.state);
  }

  /** What was seen before counts no more: the responder is in one of these states, the first of which is the likeliest. */
  begin(states: readonly ResponderState[]): void {
    this.#sight?.passed(this.#window.requests);
    this.#window.begin(states);
    this.unsettled = false;
    this.attribution.forget();
  }

  /** Everything is at rest in one of these states. */
  settle(ways: readonly ResponderState[]): void {
    if (ways.length === 1) this.#window.fold(this.state);
    this.begin(ways);
    this.ambiguous = ways.length > 1;
  }

  /** Nothing is pending and every way agrees: forget how it came to this. */
  certain(): void {
    this.#report.chose(this.state);
    this.begin([this.state]);
    this.ambiguous = false;
    this.guessing = false;
    this.#sight?.certainAt(this.#window.start);
  }

  /** What was seen before counts no more: the responder is in this state for sure. */
  startAt(state: ResponderState): void {
    this.state = state.clone();
    this.begin([this.state]);
    this.ambiguous = false;
  }

  /** It was in this state behind the request at that place in the trace; the likeliest state has come of it, and of what has come since. */
  beginBehind(state: ResponderState, event: number): void {
    this.#report.chose(this.state);
    const start = state.clone();
    start.records = this.state.records.filter(({ psn }) => psnDiff(psn, state.ePsn) < 0);
    this.#window.beginBehind(start, event);
  }

  /** Nothing is known any more but the path MTU, and not even that where another connection may begin. */
  restart(): void {
    const { pmtu } = this.state;
    this.state = unknownState(this.#rules.machine, this.#connection);
    if (this.#sight?.mayBeginAnew !== true) this.state.pmtu = pmtu;
    this.begin([this.state]);
    this.attribution.forgetAll();
    this.ambiguous = false;
    this.guessing = false;
    this.#sight?.restart();
  }
}
