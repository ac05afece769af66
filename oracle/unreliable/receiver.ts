import type { Wc } from '../../spec/verbs.ts';
import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { commitMemory } from '../device/memory.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import { requestShape } from '../device/opcode-shape.ts';
import { transitionsFor } from './receive.ts';
import type { Course } from './receive.ts';
import { ReceiveState } from './qp.ts';
import type { Due, UnreliableQp } from './qp.ts';
import type { UnreliableBook } from './tables.ts';
import type { Rule } from '../rules.ts';
import { compareReceive, matches } from './completion.ts';
import { keep } from '../device/keep.ts';
import { Refusals } from './refusals.ts';

const statesKept = 128;
const snapshotsKept = 128;
const windowLimit = 4096;
const discardsKept = 64;
const commitEvery = 256;

type Seen =
  | { kind: 'packet'; packet: Packet; event: number }
  | { kind: 'completion'; wc: Wc; event: number; t: number };

/** A packet that was discarded, and by which rule. */
interface Discard {
  rule: Rule;
  /** the rule that says what software is to see of it */
  told?: Rule | undefined;
  packet: Packet;
}

/**
 * Judges what a UC or UD QP receives. Every way that the rules allow is followed, mostly one; completions tell which it
 * was. A packet that finds no receive WQE is looked at again if one is posted before the device had time to settle.
 */
export class UnreliableReceiver {
  readonly qp: UnreliableQp;
  /** the likeliest first; never empty */
  states: ReceiveState[] = [new ReceiveState()];
  lost = false;
  /** where refused packets would have written */
  readonly refusals = new Refusals();
  readonly #book: UnreliableBook;
  #discards: Discard[] = [];
  #unsettled = false;
  #packets = 0;
  /** rule that calls for a response */
  #answers: { rule: Rule | undefined; event: number } | undefined;
  /** states in front of packets that found no receive WQE, and all since the first of them */
  #snapshots: { state: ReceiveState; from: number; key: string }[] = [];
  #window: Seen[] = [];

  constructor(qp: UnreliableQp, book: UnreliableBook) {
    this.qp = qp;
    this.#book = book;
  }

  get state(): ReceiveState {
    return this.states[0] as ReceiveState;
  }

  /** Packets have come since the device last had time to settle. */
  get unsettled(): boolean {
    return this.#unsettled;
  }

  /** The QP may be in ERR, by a fault of what it received. */
  get mayHaveFailed(): boolean {
    return this.states.some(({ qpState }) => qpState === 'ERR');
  }

  packet(packet: Packet, event: number): void {
    if (this.lost) return;
    this.#unsettled = true;
    const [likeliest] = this.#advance(packet, event, this.states, this.#window.length);
    if (likeliest === undefined) return;
    this.#book.exercise(likeliest.rules);
    if (likeliest.discardedBy !== undefined)
      this.#discarded({ rule: likeliest.discardedBy, told: likeliest.reportedBy, packet });
    const [admission] = likeliest.rules;
    if ((ruleWord(admission, 'reply') ?? 'none') !== 'none') this.#answers = { rule: admission, event };
    if (this.#snapshots.length > 0) this.#see({ kind: 'packet', packet, event });
    if (++this.#packets % commitEvery === 0) this.#commit();
  }

  /** Where one way is left, nothing can go back behind what it did. */
  #commit(): void {
    const [only, other] = this.states;
    if (only === undefined || other !== undefined || this.#snapshots.length > 0) return;
    commitMemory(only.memory);
    only.memory = undefined;
    // an SRQ with other users is not judged at all
    this.qp.posted.doneWith((only.due[0]?.wqe ?? only.rqHead) - 1);
  }

  /** A packet that was not for this QP, and must not show here; `rule` discards it. */
  stray(packet: Packet, rule: Rule): void {
    if (!this.lost) this.#discarded({ rule, packet });
  }

  #discarded(discard: Discard): void {
    keep(this.#discards, discard, discardsKept);
    const { state, qp } = this;
    this.refusals.add(qp, state, discard.packet, discard.rule);
  }

  /** Moves the states on; gives the courses of the likeliest one. */
  #advance(packet: Packet, event: number, states: readonly ReceiveState[], at: number): readonly Course[] {
    const arrival = { qp: this.qp, book: this.#book, packet, event };
    let first: readonly Course[] = [];
    const next = new Map<string, ReceiveState>();
    for (const state of states) {
      const courses = transitionsFor(arrival, state);
      if (first.length === 0) first = courses;
      if (courses.some(({ starved }) => starved)) this.#snapshot(state, at);
      for (const [i, course] of courses.entries()) {
        const after = i === courses.length - 1 ? state : state.clone();
        course.apply(after);
        const key = courses.length === 1 && states.length === 1 ? '' : after.key();
        if (!next.has(key)) next.set(key, after);
      }
    }
    if (states === this.states) this.#become([...next.values()]);
    else this.#replayed = [...next.values()];
    return first;
  }

  #replayed: ReceiveState[] = [];

  #become(states: ReceiveState[]): void {
    this.states = states;
    if (states.length > statesKept) this.loseSight('too many ways to explain what was seen');
  }

  #snapshot(state: ReceiveState, from: number): void {
    const key = state.key();
    if (this.#snapshots.some((known) => known.from === from && known.key === key)) return;
    if (this.#snapshots.length >= snapshotsKept)
      return this.loseSight('too many packets without a receive WQE');
    this.#snapshots.push({ state: state.clone(), from, key });
  }

  #see(seen: Seen): void {
    this.#window.push(seen);
    if (this.#window.length > windowLimit)
      this.loseSight('more packets without a receive WQE than the oracle keeps');
  }

  /** A receive WQE was posted: packets that found none since the last rest may have found it. */
  posted(): void {
    const tail = this.qp.posted.length;
    for (const state of this.states) state.rqTail = tail;
    if (this.lost || this.#snapshots.length === 0) return;
    const found = new Map(this.states.map((state) => [state.key(), state]));
    for (const { state, from } of this.#snapshots.slice()) {
      let states = [state.clone()];
      for (const copy of states) copy.rqTail = tail;
      for (let at = from; at < this.#window.length && states.length > 0; at++) {
        const seen = this.#window[at] as Seen;
        if (seen.kind === 'completion') states = states.filter((s) => this.#takes(s, seen.wc));
        else {
          this.#advance(seen.packet, seen.event, states, at);
          states = this.#replayed;
        }
      }
      for (const s of states) if (!found.has(s.key())) found.set(s.key(), s);
    }
    this.#become([...found.values()]);
  }

  /** Moves one state over a completion; false where it calls for none such. */
  #takes(state: ReceiveState, wc: Wc): boolean {
    if (wc.status === 'IBV_WC_WR_FLUSH_ERR') return state.qpState === 'ERR';
    const [due] = state.due;
    if (due === undefined || !matches(this.qp, due, wc)) return false;
    state.due = state.due.slice(1);
    return true;
  }

  completion(wc: Wc, event: number, t: number): void {
    if (this.lost) return;
    const [likeliest] = this.state.due;
    const ways = this.states.flatMap((state) => {
      const [due] = state.due;
      if (!this.#takes(state, wc)) return [];
      const rules = due === undefined || wc.status === 'IBV_WC_WR_FLUSH_ERR' ? [] : this.#rulesFor(due);
      const unmet = due?.kind === 'message' ? compareReceive(rules, due, wc) : [];
      return [{ state, rules, unmet }];
    });
    const [way] = ways;
    if (way === undefined) return this.#wrong(wc, likeliest, event, t);
    const right = ways.filter(({ unmet }) => unmet.length === 0);
    this.#book.exercise(way.rules);
    if (right.length === 0)
      for (const { rule, expected, observed } of way.unmet)
        this.#book.violate(rule, { event, t }, expected, observed);
    this.states = (right.length > 0 ? right : ways).map(({ state }) => state);
    if (this.#snapshots.length > 0) this.#see({ kind: 'completion', wc, event, t });
  }

  #rulesFor(due: Due): readonly Rule[] {
    return this.#book.ask('uc-ud-responder-completion', { workService: this.qp.kind, receiveEnd: due.kind });
  }

  /** A completion that no way explains. `due`: what the likeliest one calls for. */
  #wrong(wc: Wc, due: Due | undefined, event: number, t: number): void {
    this.lost = true;
    const { kind: workService, posted } = this.qp;
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    // that a failed send queue took the QP to ERR is told by the rules of flushes
    if (wc.status === 'IBV_WC_WR_FLUSH_ERR' && this.state.qpState === 'SQE') return;
    const same = due !== undefined && posted.at(due.wqe)?.wr_id === wc.wr_id;
    if (due === undefined || (wc.status === 'IBV_WC_WR_FLUSH_ERR' && !same)) {
      const rules = this.#book.decide('uc-ud-responder-completion', { workService, receiveEnd: 'undue' });
      const forbidding = rules.filter((rule) => ruleWord(rule, 'mustCome') === 'never');
      const [violatedRule] = [this.#violatedRule(wc), ...forbidding].filter((rule) => rule !== undefined);
      return this.#book.violate(violatedRule, { event, t }, 'no receive completion', seen);
    }
    const rules = this.#rulesFor(due);
    this.#book.exercise(rules);
    const ordering = rules.find((rule) => ruleWord(rule, 'mustOrder') === 'posting');
    const coming = rules.find((rule) => ruleWord(rule, 'mustCome') === 'once');
    const told = due.kind === 'message' && !same ? (due.reused ?? ordering) : (due.violatedRule ?? coming);
    const expected = `${due.statuses.join(' or ')} of work request ${posted.at(due.wqe)?.wr_id ?? '?'}`;
    this.#book.violate(told, { event, t }, expected, seen);
  }

  /** The discarded packet that would explain the completion if it had not been discarded. */
  #violatedRule(wc: Wc): Rule | undefined {
    const ends = this.#discards.filter(({ packet }) => {
      const { position, family, immediate } = requestShape(packet.opcode);
      return (position === 'last' || position === 'only') && (family === 'send' || immediate);
    });
    const fits = ends.findLast(
      ({ packet }) => wc.byte_len === packet.payloadLength + (this.qp.kind === 'UD' ? 40 : 0),
    );
    if (wc.status === 'IBV_WC_SUCCESS') return (fits ?? ends.at(-1) ?? this.#discards.at(-1))?.rule;
    const last = this.#discards.at(-1);
    return last?.told ?? last?.rule;
  }

  /** The device has sent a response, which no QP of such a service does. */
  answered(packet: Packet, event: number, t: number): void {
    if (this.#answers !== undefined) return void (this.#answers = undefined);
    const rules = this.#book.decide('uc-ud-responder-answer', { workService: this.qp.kind });
    const [rule] = rules;
    if (this.lost || ruleWord(rule, 'mustStay') !== 'silent') return;
    this.#book.violate(rule, { event, t }, 'no response', describe(packet));
  }

  /** An event that reports an error of a request, which UC and UD do not know; what was to pass in silence is to blame. */
  complained(type: string, event: number, t: number): void {
    const told = this.#discards.at(-1)?.told;
    if (!this.lost) this.#book.violate(told, { event, t }, 'no event', type);
  }

  /** Everything due has had its time. */
  settle(t: number): void {
    if (this.lost) return;
    const content = this.states.filter(({ due }) => due.length === 0);
    if (content.length === 0) return this.#overdue(t);
    this.states = content;
    const { rule, event = 0 } = this.#answers ?? {};
    this.#book.violate(rule, { event, t }, 'a response', 'none');
    this.#answers = undefined;
    if (this.#unsettled) {
      const { kind: workService } = this.qp;
      this.#book.decide('uc-ud-responder-answer', { workService });
      if (this.#discards.length > 0)
        this.#book.decide('uc-ud-responder-completion', { workService, receiveEnd: 'undue' });
    }
    this.#snapshots = [];
    this.#window = [];
    this.#commit();
    this.#discards = [];
    this.#unsettled = false;
  }

  #overdue(t: number): void {
    const [due] = this.state.due;
    if (due !== undefined) {
      const coming = this.#rulesFor(due).find((rule) => ruleWord(rule, 'mustCome') === 'once');
      const wr = this.qp.posted.at(due.wqe);
      const expected = `${due.statuses.join(' or ')} of work request ${wr?.wr_id ?? '?'}`;
      this.#book.violate(
        due.violatedRule ?? due.reused ?? coming,
        { event: due.event, t },
        expected,
        'no completion',
      );
    }
    this.lost = true;
  }

  /** Software has changed something; each way sees it. */
  change(apply: (state: ReceiveState) => void): void {
    for (const state of this.states) apply(state);
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
