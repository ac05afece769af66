import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnDiff, psnMask } from '../../wire/psn.ts';
import type { Connection } from '../model/connection.ts';
import { commitMemory } from '../model/memory.ts';
import { requestShape } from '../model/request.ts';
import type { RequestView } from '../model/responder-facts.ts';
import type { Unmet } from '../model/responder-demands.ts';
import { acceptReply, matchReply } from '../model/responder-replies.ts';
import { ResponderState, unknownState } from '../model/state.ts';
import type { Rule } from '../rules.ts';
import { Blame } from './blame.ts';
import type { Entry } from './entry.ts';
import { expectation } from './expectation.ts';
import type { RequestEntry } from './late.ts';
import type { Ledger } from './ledger.ts';
import type { ResponderRules } from './responder-rules.ts';
import { search } from './search.ts';
import { CaptureSight } from './sight.ts';

const windowLimit = 2048;
const statesKept = 256;

/**
 * Judges one RC responder. Events are followed along the likeliest way at once; where the rules or the sight leave
 * more than one way, the events since the last certain point are kept, and a way that explains all of them is
 * searched before anything is called a violation.
 */
export class ResponderJudge {
  readonly connection: Connection;
  state = new ResponderState();
  /** judging stopped: the state of the device is no longer known */
  lost = false;
  #checkpoint: ResponderState[] = [this.state.clone()];
  #window: Entry[] = [];
  /** in a capture: what it shows of the connection, and what it may lack */
  readonly #sight = new CaptureSight();
  #ambiguous = false;
  /** the window overflowed: what follows rests on a guess until the next certain point */
  #guessing = false;
  readonly #blame: Blame;
  readonly #told = new Set<Rule>();
  readonly #rules: ResponderRules;
  readonly #ledger: Ledger;

  constructor(connection: Connection, rules: ResponderRules, ledger: Ledger) {
    this.connection = connection;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#blame = new Blame((seen) => rules.demands.unasked(seen));
  }

  /** ibv_modify_qp to RESET: the QP forgets everything, the WQEs of its own receive queue included. */
  reset(state: ResponderState): void {
    const fresh = new ResponderState();
    fresh.memory = state.memory;
    fresh.callsApplied = state.callsApplied;
    fresh.rqTail = this.connection.posted.length;
    fresh.rqHead = this.connection.srq ? state.rqHead : fresh.rqTail;
    Object.assign(state, fresh);
  }

  /** The trace starts in the middle of the connection. */
  startUnknown(): void {
    this.state = unknownState();
    this.#checkpoint = [this.state.clone()];
  }

  /** Packets have arrived since the last certain point, so that calls made now race with them. */
  get unsettled(): boolean {
    return this.#window.some((entry) => entry.kind === 'request');
  }

  push(entry: Entry): void {
    if (this.lost) return;
    if (entry.kind === 'reply' && !this.connection.atDevice && this.#sight.precedes(entry.seen.psn)) {
      this.#ledger.skip('responses to requests before the capture');
      return;
    }
    if (entry.kind === 'request') this.#noteRequest(entry);
    if (this.#window.length >= windowLimit) this.#guess();
    this.#window.push(entry);
    switch (entry.kind) {
      case 'request':
        return this.#request(entry);
      case 'call':
        if (this.unsettled) this.#ambiguous = true;
        return entry.apply(this.state);
      case 'frame':
        this.#blame.decided(entry.branch, entry.event, undefined);
        return this.#rules.effects.frame(this.state, entry.branch, entry.event);
      case 'reply':
        return this.#reply(entry);
      case 'completion':
      case 'async':
        return this.#software(entry);
    }
  }

  #viewOf(packet: Packet): RequestView {
    return { connection: this.connection, state: this.state, packet, shape: requestShape(packet.opcode) };
  }

  /** What the rules say of a request in the state that is likeliest. */
  decide(packet: Packet): ReturnType<ResponderRules['decider']['primary']> {
    return this.#rules.decider.primary(this.#viewOf(packet));
  }

  #request(entry: Entry & { kind: 'request' }): void {
    if (entry.mayBeLost === true) return void (this.#ambiguous = true);
    const request = this.#viewOf(entry.packet);
    const { branch, certain } = this.#rules.decider.primary(request);
    if (!certain || !this.connection.atDevice) this.#ambiguous = true;
    this.#ledger.exercise(branch.rules);
    this.#blame.decided(branch, entry.event, entry.packet.psn);
    const { report: before, established } = this.state;
    this.#rules.effects.apply(request, branch, entry.event);
    const { report } = this.state;
    if (report !== undefined && report !== before) this.#ledger.exercise([report.rule]);
    if (established !== this.state.established)
      this.#ledger.exercise(this.#rules.reports.announced(this.state));
  }

  #reply(entry: Entry & { kind: 'reply' }): void {
    const { seen } = entry;
    if (!this.connection.atDevice && this.#spoiled(entry)) return;
    const match = matchReply(this.state, seen, !this.connection.atDevice);
    if (match.kind === 'mismatch') {
      if (this.#otherWay() || this.#otherWayBut(entry)) return;
      const { rule, item } = this.#blame.culprit(seen, match, this.state.replies);
      return this.#fail(entry, rule, expectation(item), describe(seen.packet));
    }
    const unmet = this.#rules.demands.unmet(this.connection, this.state, seen, match.item);
    const open = unmet.some(({ certain }) => certain !== true);
    const sure = open && this.#beyondDoubt(entry, unmet);
    if (open && !sure && (this.#otherWay() || this.#blind(entry))) return;
    this.#ledger.exercise(this.#rules.demands.rulesFor(seen));
    if (this.connection.verbs) this.#ledger.exercise(this.#rules.demands.pathRules(this.state));
    acceptReply(this.state, seen, match);
    if (open) entry.reported = true;
    for (const failed of unmet) this.#noteReply(entry, failed);
    const { replies } = this.state;
    const answered = replies.every((r) => r.kind === 'ack' && psnDiff(r.psnTo, seen.psn) <= 0);
    if (this.connection.atDevice || !answered) return;
    // what the device says of the newest request it says of all: ways may differ in how it came to this
    const exact = seen.kind === 'ack' || seen.kind === 'atomic-ack';
    if (exact && seen.psn === this.#sight.newestPsn)
      this.state.msnBase = (seen.msn - this.state.msn) & psnMask;
    this.#certain();
  }

  /** Whether a captured response can be looked at no further: damaged on the way, or wrong by its header alone. */
  #spoiled(entry: Entry & { kind: 'reply' }): boolean {
    const { seen } = entry;
    const damaged = !seen.packet.icrcOk;
    if (damaged) this.#ledger.skip('responses damaged on the way');
    const { demands } = this.#rules;
    const wrong = demands
      .unmet(this.connection, this.state, seen, undefined)
      .filter(({ key }) => key === 'mustHeader' && !damaged);
    for (const unmet of wrong) this.#note(entry, unmet);
    if (damaged || wrong.length > 0) this.#window.pop();
    return damaged || wrong.length > 0;
  }

  /** Whether demands are not met that nothing beyond the capture could explain. */
  #beyondDoubt(entry: Entry & { kind: 'reply' }, unmet: readonly Unmet[]): boolean {
    if (this.connection.atDevice || this.#guessing || this.#lacking(entry) !== undefined) return false;
    return this.#sight.beyondDoubt(unmet, entry.seen);
  }

  #software(entry: Entry & { kind: 'completion' | 'async' }): void {
    const before = this.state.clone();
    const { reports } = this.#rules;
    const compared =
      entry.kind === 'completion'
        ? reports.completion(this.connection, this.state, entry.wc)
        : reports.event(this.state, entry.what);
    if (compared === undefined) {
      this.#window.pop();
      return;
    }
    if (compared.unmet.length > 0) {
      this.state = before;
      if (this.#otherWay()) return;
      if (entry.kind === 'completion') reports.completion(this.connection, this.state, entry.wc);
      else reports.event(this.state, entry.what);
      entry.reported = true;
    }
    this.#ledger.exercise(compared.exercised);
    for (const failed of compared.unmet) this.#note(entry, failed);
  }

  /** Everything due has had its time: what is still owed will not come. */
  settle(t: number): void {
    if (this.lost) return;
    const owed = this.#owed(this.state);
    if (owed.length > 0 || this.#ambiguous) {
      const survivors = this.#search((state) => this.#owed(state).length === 0);
      if (survivors === 'too many') return this.#stop('too many ways to explain what was seen');
      const first = survivors[0];
      if (first === undefined && !this.#onlyUnreported(owed, t)) return this.#overdue(owed, t);
      this.#checkpoint = first === undefined ? [this.state] : survivors.slice(0, statesKept);
      this.state = this.#checkpoint[0]?.clone() ?? this.state;
    } else this.#checkpoint = [this.state];
    this.#ledger.chose(this.state);
    for (const state of this.#checkpoint) {
      state.choices = undefined;
      state.replies = [];
      state.callsApplied = 0;
      // an optional completion that did not come left its WQE on the SRQ
      state.rqHead -= state.completions.length;
      state.completions = [];
    }
    if (this.#checkpoint.length === 1) {
      const only = this.#checkpoint[0] as ResponderState;
      commitMemory(only.memory);
      only.memory = undefined;
      this.#checkpoint = [only.clone()];
      this.state = only;
    } else this.state = (this.#checkpoint[0] as ResponderState).clone();
    const { reports } = this.#rules;
    if (this.unsettled && this.connection.verbs) this.#ledger.exercise(reports.restraint(this.state));
    this.#clearWindow();
    this.#blame.forget();
    this.#ambiguous = this.#checkpoint.length > 1;
  }

  /** A fault that software was never told of is a violation, and leaves the state of the device known. */
  #onlyUnreported(owed: (Unmet & { event: number })[], t: number): boolean {
    const { report } = this.state;
    if (report === undefined || this.#guessing || owed.length !== 1 || owed[0]?.rule !== report.rule)
      return false;
    if (this.state.completions.some((due) => !due.optional)) return false;
    this.#violate(owed[0], t);
    this.state.report = { ...report, mode: 'completion' };
    return true;
  }

  #violate({ rule, expected, observed, event }: Unmet & { event: number }, t: number): void {
    this.#ledger.violate({ rule: rule.id, event, t, qp: this.connection.name, expected, observed });
  }

  #overdue(owed: (Unmet & { event: number })[], t: number): void {
    if (this.#guessing) return this.#stop('more packets without an answer than the oracle keeps');
    for (const unmet of owed.slice(0, 1)) this.#violate(unmet, t);
    // an ambiguous trace may owe nothing along the likeliest way and still have no explanation
    if (owed.length === 0)
      this.#ledger.doubt(`${this.connection.name}: no single way explains what was seen`);
    this.lost = true;
  }

  #owed(state: ResponderState): (Unmet & { event: number })[] {
    const replies = state.replies
      .filter((r) => !r.optional)
      .map((r) => ({ rule: r.rule, expected: expectation(r), observed: 'no response', event: r.event }));
    return this.connection.verbs ? [...replies, ...this.#rules.reports.overdue(state)] : replies;
  }

  /** Looks for another way that explains the window; takes it if there is one. */
  #otherWay(): boolean {
    if (!this.#ambiguous && this.connection.atDevice) return false;
    const survivors = this.#search(() => true);
    if (survivors === 'too many') {
      this.#stop('too many ways to explain what was seen');
      return true;
    }
    if (!this.connection.atDevice)
      survivors.sort((a, b) => Number(a.qpState === 'ERR') - Number(b.qpState === 'ERR'));
    const first = survivors[0];
    if (first === undefined) return false;
    // the way that was taken may be among those let go
    if (survivors.length > statesKept) this.#guessing = true;
    this.state = first.clone();
    this.#checkpoint = survivors.slice(0, statesKept);
    for (const state of [this.state, ...this.#checkpoint]) state.callsApplied = 0;
    this.#clearWindow();
    this.#blame.forget();
    this.#ambiguous = this.#checkpoint.length > 1 || !this.connection.atDevice;
    return true;
  }

  /** Looks for a way that explains the response itself, though not what it carries; notes what is wrong with that. */
  #otherWayBut(entry: Entry & { kind: 'reply' }): boolean {
    const { connection } = this;
    if (!this.#ambiguous || !connection.atDevice) return false;
    const ways = search(connection, this.#rules, this.#checkpoint, this.#window.slice(0, -1), () => true);
    if (ways === 'too many') return false;
    for (const state of ways) {
      const match = matchReply(state, entry.seen, !connection.atDevice);
      if (match.kind === 'mismatch') continue;
      const unmet = this.#rules.demands.unmet(connection, state, entry.seen, match.item);
      entry.reported = true;
      if (this.#otherWay()) for (const failed of unmet) this.#note(entry, failed);
      return true;
    }
    return false;
  }

  #search(accept: (state: ResponderState) => boolean): ResponderState[] | 'too many' {
    const { connection } = this;
    const found = search(connection, this.#rules, this.#checkpoint, this.#window, accept);
    if (connection.atDevice || found === 'too many' || found.length > 0) return found;
    return search(connection, this.#rules, this.#checkpoint, this.#window, accept, this.#sight.earlier);
  }

  #clearWindow(): void {
    if (!this.connection.atDevice) this.#sight.passed(this.#requests());
    this.#window = [];
  }

  /** Nothing is pending and every way agrees: forget how it came to this. */
  #certain(): void {
    this.#ledger.chose(this.state);
    this.#checkpoint = [this.state.clone()];
    this.#clearWindow();
    this.#blame.forget();
    this.#ambiguous = false;
    this.#guessing = false;
    this.#sight.certainAt(this.#checkpoint[0] ?? this.state);
  }

  #guess(): void {
    this.#ledger.chose(this.state);
    this.#checkpoint = [this.state.clone()];
    this.#clearWindow();
    this.#blame.forget();
    this.#guessing = true;
  }

  #fail(entry: Entry, rule: Rule | undefined, expected: string, observed: string): void {
    if (rule === undefined || this.#guessing)
      return this.#stop('a response that could not be tied to a request');
    if (entry.kind === 'reply' && this.#blind(entry)) return;
    this.#note(entry, { rule, expected, observed });
    this.#restart();
  }

  /** Whether a capture may lack the request that explains the response; judging starts anew then. */
  #blind(entry: Entry & { kind: 'reply' }): boolean {
    const lacking = this.connection.atDevice ? undefined : this.#lacking(entry);
    if (lacking !== undefined) this.#stop(lacking);
    return lacking !== undefined;
  }

  #lacking({ seen }: Entry & { kind: 'reply' }): string | undefined {
    if (this.state.ePsn < 0) return 'responses while the expected PSN was not known';
    if (seen.kind === 'rnr-nak' && this.connection.capabilities === undefined)
      return 'RNR NAKs for reasons that a capture does not tell';
    return this.#sight.lacking(seen, this.#requests(), this.state.pmtu);
  }

  #requests = (): RequestEntry[] => this.#window.filter((entry) => entry.kind === 'request');

  /** What is wrong along every way is so in response after response, and told of once. */
  #noteReply(entry: Entry, failed: Unmet): void {
    if (failed.certain === true) {
      if (this.#told.has(failed.rule)) return;
      this.#told.add(failed.rule);
    }
    this.#note(entry, failed);
  }

  #note({ event, t }: Entry, unmet: Unmet): void {
    this.#violate({ ...unmet, event }, t);
  }

  /** Sight was lost: nothing is known until packets tell again; where the device itself was watched, judging ends. */
  #stop(why: string): void {
    this.#ledger.doubt(`${this.connection.name}: ${why}`);
    this.#restart();
  }

  loseSight(why: string): void {
    if (!this.lost) this.#stop(why);
  }

  #restart(): void {
    if (this.connection.atDevice) {
      this.lost = true;
      return;
    }
    const pmtu = this.state.pmtu;
    this.state = unknownState();
    this.state.pmtu = pmtu;
    this.#checkpoint = [this.state.clone()];
    this.#clearWindow();
    this.#blame.forgetAll();
    this.#ambiguous = false;
    this.#guessing = false;
    this.#sight.restart();
  }

  #noteRequest(entry: RequestEntry): void {
    if (this.connection.atDevice) return;
    if (this.#sight.isFar(entry.packet.psn)) this.#restart();
    this.#sight.saw(entry);
  }
}
