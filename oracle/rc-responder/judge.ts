import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnDiff } from '../../wire/psn.ts';
import type { Qp } from '../device/qp.ts';
import { RequestView } from './request.ts';
import type { Unmet } from './demands.ts';
import { acceptReply, matchReply } from './match-reply.ts';
import { ResponderState, unknownState } from './state.ts';
import type { Rule } from '../rules.ts';
import { RuleAttribution } from './blame.ts';
import type { Entry } from './entry.ts';
import { expectation } from './expectation.ts';
import type { RequestEntry } from './capture-late.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { ReplayWindow, statesKept } from './window.ts';
import type { ResponderRules } from './rules.ts';
import { CaptureVisibility } from './capture-sight.ts';

const windowLimit = 2048;

/**
 * Judges one RC responder. Events are followed along the likeliest way at once; where the rules or the sight leave
 * more than one way, the events since the last certain point are kept, and a way that explains all of them is
 * searched before anything is called a violation.
 */
export class ResponderJudge {
  readonly connection: Qp;
  state: ResponderState;
  /** judging stopped: the state of the device is no longer known */
  lost = false;
  readonly #past: ReplayWindow;
  /** packets have arrived since everything was last known to be at rest, so that calls made now may race with them */
  unsettled = false;
  /** in a capture: what it shows of the connection, and what it may lack */
  readonly #sight = new CaptureVisibility();
  #ambiguous = false;
  /** the window overflowed: what follows rests on a guess until the next certain point */
  #guessing = false;
  readonly #blame: RuleAttribution;
  readonly #told = new Set<Rule>();
  readonly #rules: ResponderRules;
  readonly #ledger: Ledger;

  constructor(connection: Qp, rules: ResponderRules, ledger: Ledger) {
    this.connection = connection;
    this.#rules = rules;
    this.#ledger = ledger;
    this.state = ResponderState.first(rules.machine);
    this.#past = new ReplayWindow(connection, rules, this.state, (state) => {
      ledger.chose(state);
    });
    this.#blame = new RuleAttribution((seen) => rules.demands.unasked(seen));
  }

  /** The trace starts in the middle of the connection. */
  startUnknown(): void {
    this.state = unknownState(this.#rules.machine);
    this.#past.begin([this.state]);
  }

  push(entry: Entry): void {
    if (this.lost) return;
    if (entry.kind === 'reply' && !this.connection.atDevice && this.#sight.precedes(entry.seen.psn)) {
      this.#ledger.skip('responses to requests before the capture');
      return;
    }
    if (entry.kind === 'request') this.#noteRequest(entry);
    if (this.connection.atDevice) this.state = this.#past.shorten() ?? this.state;
    if (this.#past.length >= windowLimit) this.#guess();
    this.#past.push(entry);
    switch (entry.kind) {
      case 'request':
        return this.#request(entry);
      case 'call':
        if (this.#past.racing) this.#ambiguous = true;
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
    return new RequestView(this.connection, this.state, packet);
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
      const { rule, item } = this.#blame.violatedRule(seen, match, this.state.replies);
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
    if (this.connection.atDevice) {
      if (match.item !== undefined) this.#past.answered(match.item.event);
      // the device has looked at every request, in one way only: what comes does not reach back
      if (replies.length === 0 && !this.#ambiguous && !this.#past.racing) this.#past.beginCertain(this.state);
      return;
    }
    if (!replies.every((r) => r.kind === 'ack' && psnDiff(r.psnTo, seen.psn) <= 0)) return;
    // what the device says of the newest request it says of all: ways may differ in how it came to this
    const exact = seen.kind === 'ack' || seen.kind === 'atomic-ack';
    if (exact && seen.psn === this.#sight.newestPsn)
      this.#rules.machine.step('caughtUp')({ reply: seen }, this.state);
    this.#certain();
  }

  /** Whether a captured response can be looked at no further: damaged on the way, or wrong by its header alone. */
  #spoiled(entry: Entry & { kind: 'reply' }): boolean {
    const { seen } = entry;
    const damaged = !seen.packet.icrcOk;
    if (damaged) this.#ledger.skip('responses damaged on the way');
    const wrong = damaged ? [] : this.#rules.demands.wrongHeader(this.connection, this.state, seen);
    for (const unmet of wrong) this.#note(entry, unmet);
    if (damaged || wrong.length > 0) this.#past.pop();
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
      this.#past.pop();
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
    let ways = [this.state];
    if (owed.length > 0 || this.#ambiguous) {
      const survivors = this.#search((state) => this.#owed(state).length === 0);
      if (survivors === 'too many') return this.#stop('too many ways to explain what was seen');
      const first = survivors[0];
      if (first === undefined && !this.#onlyUnreported(owed, t)) return this.#overdue(owed, t);
      if (first !== undefined) {
        ways = survivors;
        this.state = first;
      }
    }
    this.#ledger.chose(this.state);
    for (const state of ways) {
      state.choices = undefined;
      state.replies = [];
      // an optional completion that did not come left its WQE on the SRQ
      state.rqHead -= state.completions.length;
      state.completions = [];
    }
    if (ways.length === 1) this.#past.fold(this.state);
    const { reports } = this.#rules;
    if (this.unsettled && this.connection.verbs) this.#ledger.exercise(reports.restraint(this.state));
    this.#begin(ways);
    this.#ambiguous = ways.length > 1;
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
    this.state = first;
    this.#begin(survivors);
    this.#ambiguous = survivors.length > 1 || !this.connection.atDevice;
    return true;
  }

  /** Looks for a way that explains the response itself, though not what it carries; notes what is wrong with that. */
  #otherWayBut(entry: Entry & { kind: 'reply' }): boolean {
    const { connection } = this;
    if (!this.#ambiguous || !connection.atDevice) return false;
    const ways = this.#past.ways(() => true, { but: 1 });
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
    const found = this.#past.ways(accept);
    if (this.connection.atDevice || found === 'too many' || found.length > 0) return found;
    return this.#past.ways(accept, { earlier: this.#sight.earlier });
  }

  /** What was seen before counts no more: the responder is in one of these states, the first of which is the likeliest. */
  #begin(states: readonly ResponderState[]): void {
    if (!this.connection.atDevice) this.#sight.passed(this.#past.requests);
    this.#past.begin(states);
    this.unsettled = false;
    this.#blame.forget();
  }

  /** Nothing is pending and every way agrees: forget how it came to this. */
  #certain(): void {
    this.#ledger.chose(this.state);
    this.#begin([this.state]);
    this.#ambiguous = false;
    this.#guessing = false;
    this.#sight.certainAt(this.state.clone());
  }

  #guess(): void {
    this.#ledger.chose(this.state);
    this.#begin([this.state]);
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
    return this.#sight.lacking(seen, this.#past.requests, this.state);
  }

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
    const { pmtu } = this.state;
    this.state = unknownState(this.#rules.machine);
    this.state.pmtu = pmtu;
    this.#begin([this.state]);
    this.#blame.forgetAll();
    this.#ambiguous = false;
    this.#guessing = false;
    this.#sight.restart();
  }

  #noteRequest(entry: RequestEntry): void {
    this.unsettled = true;
    if (this.connection.atDevice) return;
    if (this.#sight.isFar(entry.packet.psn)) this.#restart();
    this.#sight.saw(entry);
  }
}
