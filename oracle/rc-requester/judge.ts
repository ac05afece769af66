import type { QpAttr, Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { commitMemory, isLong } from '../device/memory.ts';
import type { MemoryNode } from '../device/memory.ts';
import { afterCall, migrationKey } from '../path-migration/migration.ts';
import type { Migration } from '../path-migration/migration.ts';
import type { Finding, Requester } from './requester.ts';
import type { RequesterTables } from './tables.ts';
import { owedAt } from './duties.ts';
import type { Owed } from './duties.ts';
import { rulesKept } from './restraint.ts';
import type { Activity } from './restraint.ts';
import { noPendingPathEvents, RequesterState } from './state.ts';
import { isSendOpcode } from '../device/send-queue.ts';
import type { Rule } from '../rules.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { RequesterEntry } from './entry.ts';
import { PossibleRequesterStates } from './explore.ts';

/** ways kept when the trace does not tell them apart */
const waysKept = 64;
const copiesKept = 2048;

/** Judges one RC requester along every way in which a conformant one may have come to what is seen. */
export class RequesterJudge {
  readonly requester: Requester;
  readonly #tables: RequesterTables;
  readonly #ledger: Ledger;
  readonly #explorer: PossibleRequesterStates;
  readonly #back: readonly Rule[];
  #ways: RequesterState[];
  #likeliest: RequesterState | undefined;
  readonly #told = new Set<Rule>();
  #deeds: Activity = { sent: false, wentBack: false };
  /** packets were seen since everything was last known to be at rest */
  unsettled = false;
  /** judging has ended: sight was lost, or a violation left the state open */
  lost = false;

  constructor(requester: Requester, tables: RequesterTables, ledger: Ledger) {
    this.requester = requester;
    this.#tables = tables;
    this.#ledger = ledger;
    this.#explorer = new PossibleRequesterStates(requester, tables);
    this.#ways = [RequesterState.first(tables.machine)];
    this.#back = tables.transmission.by({ place: 'back', retransmitCause: 'this-or-later' });
  }

  /** The likeliest of the states that the requester may be in, with every response looked at. */
  get state(): RequesterState {
    const [first] = this.#ways;
    if (first?.arrivals.length === 0) return first;
    return (this.#likeliest ??= this.#explorer.likeliest(this.#ways));
  }

  /** What the requester may have done to memory, likeliest first. */
  get memories(): (MemoryNode | undefined)[] {
    return this.#ways.map(({ memory }) => memory);
  }

  /** Whether requests are unanswered or not yet sent. */
  get busy(): boolean {
    const { una, end, head, tail } = this.state;
    return una !== end || head < tail;
  }

  /** Path migration of the QP; `undefined` where several ways are left. */
  get migration(): Migration | undefined {
    return this.lost || !this.#onePath() ? undefined : this.state.migration;
  }

  #onePath(): boolean {
    const { migration } = this.state;
    const key = migrationKey(migration);
    return this.#ways.every((way) => way.migration === migration || migrationKey(way.migration) === key);
  }

  /** Whether the QP has failed as far as the trace tells. */
  get failed(): boolean {
    return this.#tables.machine.requesterFailed({}, this.state) === 'failed';
  }

  /** Whether a completion is one of the send queue; a work request id may stand for one of either queue. */
  owns(wc: Wc, receives: (wrId: number) => boolean): boolean {
    if (wc.status === 'IBV_WC_SUCCESS' && wc.opcode !== undefined) return isSendOpcode(wc.opcode);
    return this.requester.work.has(wc.wr_id) && !receives(wc.wr_id);
  }

  /** A refused call that asked for a path migration state. */
  refusedPaths(attr: QpAttr): void {
    const { migration } = this;
    const move = migration && afterCall(this.#tables.migration, migration, attr).move;
    if (move?.rule.level === 'may') this.#ledger.exercise([move.rule]);
  }

  push(entry: RequesterEntry): void {
    if (this.lost) return;
    if (entry.kind === 'response' || entry.kind === 'sent') this.unsettled = true;
    const before = this.#ways;
    const followed = this.#explorer.follow(before, entry);
    this.#likeliest = undefined;
    if (followed === 'too many') return this.loseSight('too many ways to explain what was seen');
    if (followed.ways.length > 0) {
      this.#ways = followed.ways;
      this.#tellOnce(entry, followed.certain);
    } else this.#deny(entry);
    const [first] = this.#ways;
    if (this.#ways.length === 1 && first !== undefined) {
      this.#exercise(first);
      if (isLong(first.memory)) this.#fold(first);
    }
    if (entry.kind !== 'sent') return;
    this.#deeds.sent = true;
    this.#keepCopy(entry.packet);
  }

  /** No way explains it: what is wrong is told along the likeliest. */
  #deny(entry: RequesterEntry): void {
    const state = this.#explorer.likeliest(this.#ways);
    const { rules, order, unmet } = this.#explorer.take(state, entry);
    state.note(rules);
    this.#ways = [state];
    this.#exercise(state);
    this.#tellOnce(
      entry,
      unmet.filter(({ certain }) => certain === true),
    );
    for (const failed of unmet) if (failed.certain !== true) this.#note(entry, failed);
    if (order !== undefined) this.#note(entry, order);
    // a completion of its own accord leaves open what the device holds to be true
    if (order !== undefined || entry.kind === 'completion') this.lost = true;
  }

  /** Everything that waits for no timer has had its time. */
  settle(t: number): void {
    if (this.lost) return;
    const ways = this.#explorer.caughtUp(this.#ways);
    this.#likeliest = undefined;
    if (ways === 'too many') return this.loseSight('too many ways to explain what was seen');
    let paid = ways.filter((state) => this.#owed(state, t).length === 0);
    if (paid.length === 0) paid = this.#untold(ways, t);
    const [first] = paid;
    if (first === undefined) {
      const state = this.#explorer.likeliest(this.#ways);
      this.#exercise(state);
      const [owed] = this.#owed(state, t);
      if (owed !== undefined) this.#note({ event: owed.event, t }, owed);
      else this.#ledger.doubt(`${this.requester.connection.name}: no single way explains what was seen`);
      this.lost = true;
      return;
    }
    if (paid.length > waysKept) return this.loseSight('too many ways to explain what was seen');
    this.#exercise(first);
    owedAt(this.requester, this.#tables, first, t, (rules) => this.#ledger.exercise(rules));
    this.#ledger.exercise(rulesKept(this.requester, this.#tables, first, this.#deeds));
    this.#deeds = { sent: false, wentBack: false };
    for (const state of paid) {
      state.machine.steps.atRest({}, state);
      state.applied = undefined;
    }
    this.#ways = paid;
    this.unsettled = false;
    if (paid.length === 1) {
      this.#fold(first);
      first.landed = 0;
    }
    this.#tidy();
  }

  /** Ways that lack nothing but events of path migration, which leave no doubt about the state of the device. */
  #untold(ways: readonly RequesterState[], t: number): RequesterState[] {
    const untold = ways.filter((state) => this.#owed(state, t).every(({ news }) => news === true));
    const [first] = untold;
    for (const { event, ...failed } of first === undefined ? [] : this.#owed(first, t))
      this.#note({ event, t }, failed);
    for (const state of untold) state.news = noPendingPathEvents;
    return untold;
  }

  /** What the only way left did to memory is what was done. */
  #fold(state: RequesterState): void {
    commitMemory(state.memory);
    state.memory = undefined;
  }

  #tidy(): void {
    const { work, copies } = this.requester;
    work.forget(Math.min(...this.#ways.map(({ head, reported }) => Math.min(head, reported))));
    if (this.#ways.every(({ una, end }) => una === end)) copies.clear();
  }

  /** Remembers the first copy of a packet, of the newest ones. */
  #keepCopy(packet: Packet): void {
    const { copies } = this.requester;
    if (copies.has(packet.psn)) return;
    copies.set(packet.psn, packet);
    if (copies.size <= 2 * copiesKept) return;
    for (const psn of [...copies.keys()].slice(0, copies.size - copiesKept)) copies.delete(psn);
    this.requester.work.forget(Math.min(...this.#ways.map(({ head, reported }) => Math.min(head, reported))));
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#ledger.doubt(`${this.requester.connection.name}: ${why}`);
    this.lost = true;
  }

  #owed(state: RequesterState, t: number): Owed[] {
    return owedAt(this.requester, this.#tables, state, t);
  }

  #exercise(state: RequesterState): void {
    for (let node = state.applied; node !== undefined; node = node.previous) {
      this.#ledger.exercise(node.rules);
      if (node.rules.some((rule) => this.#back.includes(rule))) this.#deeds.wentBack = true;
    }
    state.applied = undefined;
  }

  /** What is wrong along every way is so in packet after packet, and told of once. */
  #tellOnce(entry: RequesterEntry, certain: readonly Finding[]): void {
    for (const failed of certain) {
      if (this.#told.has(failed.rule)) continue;
      this.#told.add(failed.rule);
      this.#note(entry, failed);
    }
  }

  #note({ event, t }: { event: number; t: number }, { rule, expected, observed }: Finding): void {
    const qp = this.requester.connection.name;
    this.#ledger.violate({ rule: rule.id, event, t, qp, expected, observed });
  }
}
