import type { QpAttr, Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { commitMemory } from '../model/memory.ts';
import { afterCall } from '../model/migration.ts';
import type { Migration } from '../model/migration.ts';
import { full } from '../model/requester.ts';
import type { Finding, Requester, RequesterTables } from '../model/requester.ts';
import { coursesOf } from '../model/requester-arrival.ts';
import { completeSend } from '../model/requester-completions.ts';
import { owedAt } from '../model/requester-duties.ts';
import type { Owed } from '../model/requester-duties.ts';
import { announcePath, follow, noNews } from '../model/requester-migration.ts';
import type { PathEvent } from '../model/requester-migration.ts';
import { sendPacket } from '../model/requester-sending.ts';
import { RequesterState } from '../model/requester-state.ts';
import { isSendOpcode } from '../model/work.ts';
import type { Rule } from '../rules.ts';
import type { Ledger } from './ledger.ts';
import { searchRequester } from './requester-search.ts';

/** One event of the trace as a requester sees it; `event` is its index in the trace. */
export type RequesterEntry =
  | { kind: 'call'; event: number; t: number; apply: (state: RequesterState) => void }
  /** or, with an alternate path, a request */
  | { kind: 'response'; event: number; t: number; packet: Packet }
  | { kind: 'sent'; event: number; t: number; packet: Packet; reported?: boolean }
  | { kind: 'completion'; event: number; t: number; wc: Wc; reported?: boolean }
  | { kind: 'path'; event: number; t: number; type: PathEvent; reported?: boolean };

/** ways kept when the trace does not tell them apart */
const statesKept = 64;
const windowLimit = 2048;

/**
 * Judges one RC requester: first along the likeliest way, in which the device looks at a response at once; where that does
 * not explain what is seen, along every way.
 */
export class RequesterJudge {
  readonly requester: Requester;
  readonly #tables: RequesterTables;
  readonly #ledger: Ledger;
  state = new RequesterState();
  #checkpoint: RequesterState[] = [this.state.clone()];
  #window: RequesterEntry[] = [];
  #ambiguous = false;
  readonly #told = new Set<Rule>();
  /** judging has ended: sight was lost, or a violation left the state open */
  lost = false;

  constructor(requester: Requester, tables: RequesterTables, ledger: Ledger) {
    this.requester = requester;
    this.#tables = tables;
    this.#ledger = ledger;
  }

  /** Packets were seen since everything was last known to be at rest. */
  get unsettled(): boolean {
    return this.#window.some(({ kind }) => kind === 'response' || kind === 'sent');
  }

  /** Whether requests are unanswered, or the device may still have something to do. */
  get busy(): boolean {
    const { una, end, head, tail } = this.state;
    return una !== end || head < tail || this.#ambiguous;
  }

  /** Whether the QP has failed as far as the trace tells. */
  get failed(): boolean {
    return this.state.failure !== undefined;
  }

  /** Whether a completion is one of the send queue; a work request id may stand for one of either queue. */
  owns(wc: Wc, receives: (wrId: number) => boolean): boolean {
    if (wc.status === 'IBV_WC_SUCCESS' && wc.opcode !== undefined) return isSendOpcode(wc.opcode);
    return this.requester.work.has(wc.wr_id) && !receives(wc.wr_id);
  }

  reset(state: RequesterState): void {
    const fresh = new RequesterState();
    fresh.memory = state.memory;
    fresh.callsApplied = state.callsApplied;
    fresh.head = fresh.tail = fresh.reported = this.requester.work.length;
    Object.assign(state, fresh);
  }

  /** The QP goes to RTS with the first PSN. */
  start(state: RequesterState, psn: number): void {
    state.una = state.end = state.cursor = psn;
    this.reload(state);
  }

  reload(state: RequesterState): void {
    const { retryCnt, rnrRetry } = this.requester.attributes;
    state.retries = full(retryCnt);
    state.rnrRetries = full(rnrRetry);
  }

  push(entry: RequesterEntry): void {
    if (this.lost) return;
    if (this.#window.length >= windowLimit && !this.#shorten()) return;
    this.#window.push(entry);
    switch (entry.kind) {
      case 'call':
        return entry.apply(this.state);
      case 'response':
        return this.#response(entry);
      case 'sent':
        return this.#sent(entry);
      case 'completion':
        return this.#completion(entry);
      case 'path':
        return this.#path(entry);
    }
  }

  #response(entry: RequesterEntry & { kind: 'response' }): void {
    const courses = coursesOf(this.requester, this.#tables, this.state, entry);
    const [first] = courses;
    if (first === undefined) return;
    if (courses.length > 1) this.#ambiguous = true;
    this.#ledger.exercise(first.rules);
    first.apply(this.state);
  }

  #sent(entry: RequesterEntry & { kind: 'sent' }): void {
    const { copies } = this.requester;
    const before = this.state.clone();
    let { order, unmet, rules } = sendPacket(this.requester, this.#tables, this.state, entry.packet, entry.t);
    if (order !== undefined || unmet.some(({ certain }) => certain !== true)) {
      this.state = before;
      if (this.#otherWay()) {
        if (!copies.has(entry.packet.psn)) copies.set(entry.packet.psn, entry.packet);
        return;
      }
      if (this.lost) return;
      ({ order, unmet, rules } = sendPacket(this.requester, this.#tables, this.state, entry.packet, entry.t));
      entry.reported = true;
    }
    if (!copies.has(entry.packet.psn)) copies.set(entry.packet.psn, entry.packet);
    this.#ledger.exercise(rules);
    for (const failed of unmet) this.#noteSent(entry, failed);
    if (order === undefined) return;
    this.#note(entry, order);
    this.lost = true;
  }

  #completion(entry: RequesterEntry & { kind: 'completion' }): void {
    const before = this.state.clone();
    let { unmet, rules } = completeSend(this.requester, this.#tables, this.state, entry.wc, entry.t);
    if (unmet.length > 0) {
      this.state = before;
      if (this.#otherWay() || this.lost) return;
      ({ unmet, rules } = completeSend(this.requester, this.#tables, this.state, entry.wc, entry.t));
      entry.reported = true;
    }
    this.#ledger.exercise(rules);
    for (const failed of unmet) this.#note(entry, failed);
    // a completion of its own accord leaves open what the device holds to be true
    if (unmet.length > 0) this.lost = true;
  }

  #path(entry: RequesterEntry & { kind: 'path' }): void {
    const before = this.state.clone();
    let { unmet, rules } = announcePath(this.#tables, this.state, entry.type);
    if (unmet.length > 0) {
      this.state = before;
      if (this.#otherWay() || this.lost) return;
      ({ unmet, rules } = announcePath(this.#tables, this.state, entry.type));
      entry.reported = true;
    }
    this.#ledger.exercise(rules);
    for (const failed of unmet) this.#note(entry, failed);
  }

  /** Ways that lack nothing but events of path migration, which leave no doubt about the state of the device. */
  #untold(t: number): RequesterState[] | 'too many' {
    const survivors = this.#search((state) => this.#owed(state, t).every(({ news }) => news === true));
    if (survivors === 'too many') return survivors;
    for (const { event, ...failed } of survivors[0] === undefined ? [] : this.#owed(survivors[0], t))
      this.#note({ event, t }, failed);
    for (const state of survivors) state.news = noNews;
    return survivors;
  }

  /** What ibv_modify_qp says of the paths. */
  takePaths(state: RequesterState, attr: QpAttr, event: number): void {
    const { migration, move } = afterCall(this.#tables.migration, state.migration, attr);
    if (move?.word === 'migrates') follow(this.requester, state, move, event);
    else state.migration = migration;
  }

  /** Path migration of the QP; `undefined` where several ways are left. */
  get migration(): Migration | undefined {
    return this.lost || this.#ambiguous ? undefined : this.state.migration;
  }

  /** Everything that waits for no timer has had its time. */
  settle(t: number): void {
    if (this.lost) return;
    const owed = this.#owed(this.state, t);
    if (owed.length > 0 || this.#ambiguous) {
      let survivors = this.#search((state) => this.#owed(state, t).length === 0);
      if (survivors.length === 0) survivors = this.#untold(t);
      if (survivors === 'too many') return this.loseSight('too many ways to explain what was seen');
      const [first] = survivors;
      if (first === undefined) {
        for (const { event, ...failed } of owed.slice(0, 1)) this.#note({ event, t }, failed);
        if (owed.length === 0)
          this.#ledger.doubt(`${this.requester.connection.name}: no single way explains what was seen`);
        this.lost = true;
        return;
      }
      this.#checkpoint = survivors.slice(0, statesKept);
      this.state = first.clone();
    } else this.#checkpoint = [this.state.clone()];
    owedAt(this.requester, this.#tables, this.state, t, (rules) => this.#ledger.exercise(rules));
    for (const state of [...this.#checkpoint, this.state]) {
      state.callsApplied = 0;
      state.optional = -1;
    }
    if (this.#checkpoint.length === 1) {
      commitMemory(this.state.memory);
      for (const state of [...this.#checkpoint, this.state]) state.memory = undefined;
      this.#tidy();
    }
    this.#window = [];
    this.#ambiguous = this.#checkpoint.length > 1;
  }

  #tidy(): void {
    const { work, copies } = this.requester;
    const { head, reported, una, end } = this.state;
    work.forget(Math.min(head, reported));
    if (una === end) copies.clear();
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#ledger.doubt(`${this.requester.connection.name}: ${why}`);
    this.lost = true;
  }

  #owed(state: RequesterState, t: number): Owed[] {
    return owedAt(this.requester, this.#tables, state, t);
  }

  #otherWay(): boolean {
    const survivors = this.#search(() => true);
    if (survivors === 'too many') {
      this.loseSight('too many ways to explain what was seen');
      return false;
    }
    const [first] = survivors;
    if (first === undefined) return false;
    // the window stays: responses in it may still be looked at later than this way takes it
    this.state = first.clone();
    this.#ambiguous = true;
    return true;
  }

  #search(accept: (state: RequesterState) => boolean): RequesterState[] | 'too many' {
    return searchRequester(this.requester, this.#tables, this.#checkpoint, this.#window, accept);
  }

  /** A long time without rest: what was seen so far is reduced to the ways that explain it. */
  #shorten(): boolean {
    const { work, copies } = this.requester;
    const survivors = this.#ambiguous ? this.#search(() => true) : [this.state];
    if (survivors === 'too many' || survivors.length === 0) {
      this.loseSight('more packets without a rest than the oracle keeps');
      return false;
    }
    this.#checkpoint = survivors.slice(0, statesKept).map((state) => state.clone());
    for (const state of [...this.#checkpoint, this.state]) state.callsApplied = 0;
    this.#window = [];
    work.forget(Math.min(...this.#checkpoint.map(({ head, reported }) => Math.min(head, reported))));
    if (copies.size > 2 * windowLimit)
      for (const psn of [...copies.keys()].slice(0, copies.size - windowLimit)) copies.delete(psn);
    return true;
  }

  /** What is wrong along every way is so in packet after packet, and told of once. */
  #noteSent(entry: RequesterEntry, failed: Finding): void {
    if (failed.certain === true) {
      if (this.#told.has(failed.rule)) return;
      this.#told.add(failed.rule);
    }
    this.#note(entry, failed);
  }

  #note({ event, t }: { event: number; t: number }, { rule, expected, observed }: Finding): void {
    const qp = this.requester.connection.name;
    this.#ledger.violate({ rule: rule.id, event, t, qp, expected, observed });
  }
}
