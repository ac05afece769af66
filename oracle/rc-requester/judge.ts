import type { QpAttr, Wc } from '../../spec/verbs.ts';
import { commitMemory, isLong } from '../device/memory.ts';
import type { Region } from '../device/memory.ts';
import type { MemoryNode } from '../device/memory.ts';
import { afterCall } from '../path-migration/tables.ts';
import type { Migration } from '../path-migration/migration.ts';
import type { Requester } from './requester.ts';
import type { RequesterTables } from './tables.ts';
import { keepCopy, tidy } from './requests/copies.ts';
import { RequesterReport } from './report.ts';
import { RequesterRest } from './rest.ts';
import { RequesterState, type LastResponse } from './state.ts';
import { isSendOpcode } from '../device/queues/send-queue.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { FormerLife } from '../device/former-life.ts';
import type { RequesterEntry, SentEntry } from './entry.ts';
import { leastWrong } from './denial.ts';
import { merged, PossibleRequesterStates } from './explore.ts';
import { OverdueTimers } from './overdue.ts';
import { Overtaking } from './overtaking.ts';

/** Judges one RC requester along every way in which a conformant one may have come to what is seen. */
export class RequesterJudge {
  readonly requester: Requester;
  readonly #tables: RequesterTables;
  readonly #report: RequesterReport;
  readonly #explorer: PossibleRequesterStates;
  readonly #rest: RequesterRest;
  readonly #timers: OverdueTimers;
  readonly #overtaking: Overtaking;
  readonly #former: FormerLife;
  #states: RequesterState[];
  #lastSent: number | undefined;
  #lastResponse: LastResponse | undefined;
  #likeliest: RequesterState | undefined;
  /** packets were seen since everything was last known to be at rest */
  unsettled = false;
  /** judging has ended: sight was lost, or a violation left the state open */
  lost = false;

  constructor(requester: Requester, tables: RequesterTables, ledger: Ledger, former: FormerLife) {
    this.requester = requester;
    this.#former = former;
    this.#tables = tables;
    this.#report = new RequesterReport(ledger, requester.connection.name);
    this.#explorer = new PossibleRequesterStates(requester, tables);
    this.#rest = new RequesterRest(requester, tables, this.#explorer, this.#report);
    this.#timers = new OverdueTimers(requester, tables, this.#explorer);
    this.#overtaking = new Overtaking(requester, this.#explorer);
    this.#states = [RequesterState.first(tables.machine)];
  }

  /** The likeliest of the states that the requester may be in, with every response looked at. */
  get state(): RequesterState {
    const [first] = this.#states;
    if (first?.arrivals.length === 0) return first;
    return (this.#likeliest ??= this.#explorer.likeliest(this.#states));
  }

  /** What the requester may have done to memory, likeliest first. */
  get memories(): (MemoryNode | undefined)[] {
    return this.#states.map(({ memory }) => memory);
  }

  /** Whether requests are unanswered or not yet sent. */
  get busy(): boolean {
    const { una, end, head, tail } = this.state;
    return una !== end || head < tail;
  }

  /** Whether requests are unanswered; `undefined` where that is unknown, or an answer may have come before its request left. */
  get underWay(): boolean | undefined {
    if (this.lost) return undefined;
    const { una, end } = this.state;
    const known = this.#states.every((state) => (state.una !== state.end) === (una !== end));
    return known ? una !== end : undefined;
  }

  /**
   * What is surely left of its retries, and whether no request is unanswered; `undefined` where it may have failed, a NAK may wait, or
   * that is unknown.
   */
  get left(): { retries: number; idle: boolean } | undefined {
    const ways = this.lost ? 'too many' : this.#explorer.caughtUp(this.#states);
    if (ways === 'too many' || !ways.every((way) => isSteady(way))) return undefined;
    const retries = Math.min(...ways.map((way) => 31 - Math.clz32(way.retries & -way.retries)));
    return { retries, idle: ways.every(({ una, end }) => una === end) };
  }

  /** The RNR wait that it is in for certain, and that nothing has changed since its NAK came; `undefined`: none, or that is unknown. */
  get rnrWait(): { since: number; wait: number } | undefined {
    const ways = this.lost ? 'too many' : this.#explorer.caughtUp(this.#states);
    if (ways === 'too many') return undefined;
    const waits = ways.map(({ causes }) => (causes.length === 1 ? causes[0] : undefined));
    const [first] = waits;
    const one = waits.every((nak) => nak?.cause === 'rnr-nak' && nak.since === first?.since);
    return one && first !== undefined ? { since: first.since, wait: first.wait } : undefined;
  }

  /** Path migration of the QP; `undefined` where several ways are left. */
  get migration(): Migration | undefined {
    return this.lost || !this.#onePath() ? undefined : this.state.migration;
  }

  #onePath(): boolean {
    const { migration } = this.state;
    const { key } = migration;
    return this.#states.every((state) => state.migration === migration || state.migration.key === key);
  }

  /** Ids of the work requests that have not completed. */
  get work(): number[] {
    const { reported, tail } = this.state;
    return [...this.requester.work.between(reported, tail)].map(({ wr }) => wr.wr_id);
  }

  /** Whether a work request that has not completed names memory by the L_Key of a region. */
  uses({ lkey }: Pick<Region, 'lkey'>): boolean {
    const { reported, tail } = this.state;
    const open = [...this.requester.work.between(reported, tail)];
    return open.some(({ wr }) => wr.sg_list.some((sge) => sge.lkey === lkey));
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
    if (move?.rule.level === 'may') this.#report.exercise([move.rule]);
  }

  push(entry: RequesterEntry): void {
    if (this.lost || this.#waits(entry)) return;
    if (entry.kind === 'response' || entry.kind === 'sent') this.unsettled = true;
    if (entry.kind === 'response') this.#noteResponse(entry.t);
    const before = this.#states;
    this.#overtaking.seen(entry, before, this.unsettled);
    const followed = this.#explorer.follow(before, entry);
    this.#likeliest = undefined;
    if (followed === 'too many') return this.loseSight('too many ways to explain what was seen');
    const unexplained = followed.ways.length === 0 && entry.kind === 'sent';
    const late = unexplained && this.#former.sent(entry.t);
    const sooner = unexplained ? this.#overtaking.sooner(entry, late) : undefined;
    if (sooner !== undefined) this.#states = sooner;
    else if (followed.ways.length > 0) {
      this.#states = followed.ways;
      this.#report.violateOnce(entry, followed.certain);
      this.#overtaking.explained(entry);
    } else if (late && this.state.qpState !== 'SQD') return;
    else if (!this.#overtaking.keeps(entry, before)) this.#deny(entry);
    if (entry.kind === 'call' && entry.commutes !== true) this.#timers.called(this.#states);
    const [first] = this.#states;
    if (this.#states.length === 1 && first !== undefined) {
      this.#report.exerciseAll(first);
      if (isLong(first.memory)) this.#fold(first);
    }
    if (entry.kind === 'sent') this.#keep(entry);
  }

  #noteResponse(t: number): void {
    this.#timers.answered(this.#states, t);
    if (this.#lastSent !== undefined) this.#lastResponse = { t, sent: this.#lastSent };
  }

  #keep({ packet, t }: SentEntry): void {
    this.#report.activity.sent = true;
    this.#lastSent = t;
    this.#lastResponse = undefined;
    keepCopy(this.requester, this.#states, packet);
  }

  /** Whether an event waits with a completion for what explains that, or was taken with what does. */
  #waits(entry: RequesterEntry): boolean {
    const ways = this.#overtaking.explains(entry);
    if (ways === undefined) return false;
    if (ways === 'never') {
      this.finish();
      return true;
    }
    if (ways !== 'perhaps') {
      this.#states = ways;
      this.#likeliest = undefined;
    }
    if (entry.kind === 'sent') this.#keep(entry);
    return true;
  }

  /** The trace ends. */
  finish(): void {
    const early = this.#overtaking.givenUp();
    if (early !== undefined && !this.lost) this.#deny(early);
  }

  /** No way explains it: what is wrong is reported of the ways on which least is wrong. */
  #deny(entry: RequesterEntry): void {
    const left = leastWrong(this.#explorer.tries(this.#states, entry, this.#lastResponse));
    const [least] = left;
    if (least === undefined) return;
    const { order, unmet } = least.verdict;
    this.#report.exerciseAll(least.after);
    this.#states = merged(left.map(({ after }) => after));
    this.#likeliest = undefined;
    for (const state of this.#states) state.applied = undefined;
    this.#report.violateOnce(
      entry,
      unmet.filter(({ certain }) => certain === true),
    );
    for (const failed of unmet) if (failed.certain !== true) this.#report.violate(entry, failed);
    if (order !== undefined) this.#report.violate(entry, order);
    // a completion that nothing called for leaves the state of the device open
    if (order !== undefined || entry.kind === 'completion') this.lost = true;
  }

  /** Everything that waits for no timer has had its time. */
  settle(t: number): void {
    this.finish();
    if (this.lost) return;
    const paid = this.#rest.paid(this.#states, t);
    this.#likeliest = undefined;
    if (paid === 'too many') return this.loseSight('too many ways to explain what was seen');
    if (paid === 'lost') return void (this.lost = true);
    const late = this.#timers.atRest(paid);
    if (late !== undefined) {
      this.#report.violate(late, late);
      return void (this.lost = true);
    }
    for (const state of paid) {
      state.machine.steps.atRest({}, state);
      state.applied = undefined;
      state.migration = state.migration.rested;
    }
    this.#states = paid;
    this.#overtaking.rested();
    this.unsettled = false;
    const [first] = paid;
    if (paid.length === 1 && first !== undefined) {
      this.#fold(first);
      first.landed = 0;
    }
    tidy(this.requester, paid);
  }

  /** What the only way left did to memory is what was done. */
  #fold(state: RequesterState): void {
    commitMemory(state.memory);
    state.memory = undefined;
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#report.doubt(why);
    this.lost = true;
  }
}

/** Whether it works, and waits for nothing but answers. */
function isSteady(state: RequesterState): boolean {
  return state.causes.length === 0 && state.machine.works({}, state);
}
