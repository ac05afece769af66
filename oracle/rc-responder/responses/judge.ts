import { describe } from '../../../wire/index.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { FormerLife } from '../../device/former-life.ts';
import type { Qp } from '../../device/qp.ts';
import { isNak } from '../capture/bounds.ts';
import { copies, moreSince, otherConnection, overtaken, repetitions } from '../capture/visibility.ts';
import { lateSpan } from '../capture/late.ts';
import type { CaptureVisibility } from '../capture/visibility.ts';
import type { Unmet } from './demands.ts';
import type { Entry } from '../entry.ts';
import { expectation } from './expectation.ts';
import { acceptReply, matchRepeat, matchReply } from './match.ts';
import type { ReplyMatch } from './match.ts';
import { tooManyWays } from '../possible-states.ts';
import type { PossibleResponderStates, Stopped } from '../possible-states.ts';
import type { ResponderReport } from '../report.ts';
import type { ResponderRules } from '../rules.ts';
import { formerReply } from '../search.ts';

/** Demands on what counts requests that were carried out. */
const counted: ReadonlySet<string> = new Set(['mustMsn', 'mustPsn']);

type ReplyEntry = Entry & { kind: 'reply' };

/** Judges the responses of one responder, before anything is called a violation by every state that it may be in. */
export class ReplyJudge {
  readonly #connection: Qp;
  readonly #rules: ResponderRules;
  readonly #states: PossibleResponderStates;
  readonly #report: ResponderReport;
  readonly #sight: CaptureVisibility | undefined;
  readonly #former: FormerLife | undefined;

  constructor(
    connection: Qp,
    rules: ResponderRules,
    states: PossibleResponderStates,
    report: ResponderReport,
    sight: CaptureVisibility | undefined,
    former?: FormerLife,
  ) {
    this.#connection = connection;
    this.#rules = rules;
    this.#states = states;
    this.#report = report;
    this.#sight = sight;
    this.#former = former;
  }

  /** Gives why judging cannot go on; `undefined` where it can. */
  judge(entry: ReplyEntry): Stopped | undefined {
    const { seen } = entry;
    const states = this.#states;
    const { demands } = this.#rules;
    if (this.#sight !== undefined && this.#spoiled(entry)) return undefined;
    if (this.#ofFormerLife(entry)) return undefined;
    const { match, unmet } = this.#match(entry);
    if (match.kind === 'mismatch') return this.#unexplained(entry, match);
    const open = unmet.some(({ certain }) => certain !== true);
    if (match.item?.repeat === true && this.#countsMore(entry, unmet)) return undefined;
    if (open && !this.#beyondDoubt(entry, unmet)) {
      const other = states.otherWay();
      if (other === 'too many') return this.#tooMany(entry);
      if (other || this.#isCopy(entry)) return undefined;
      const lost = this.#lost(entry);
      if (lost !== undefined) return lost;
    }
    if (open && this.#isCopy(entry)) return undefined;
    if (unmet.length > 0 && this.#beginsAnew()) return {};
    if (open && unmet.every(({ key = '' }) => counted.has(key)) && this.#mayRepeat(entry)) return {};
    this.#report.exercise(demands.rulesFor(states.state, seen));
    if (this.#connection.verbs) this.#report.exercise(demands.pathRules(states.state));
    acceptReply(states.state, entry, match);
    if (open) entry.reported = true;
    for (const failed of unmet) this.#report.violateOnce(entry, failed);
    if (this.#sight === undefined) states.answered(match.item?.event);
    else {
      this.#sight.answered(seen, match.item?.repeat === true);
      this.#answered(entry, this.#sight);
    }
    return undefined;
  }

  /** How the response fits what is pending in the likeliest state, and the demands that it does not meet. */
  #match({ seen }: ReplyEntry): { match: ReplyMatch; unmet: readonly Unmet[] } {
    const { state } = this.#states;
    const lossy = this.#sight !== undefined;
    const first = this.#met(seen, matchReply(state, seen, lossy));
    if (!lossy || (first.match.kind === 'match' && first.unmet.length === 0)) return first;
    const again = matchRepeat(state, seen);
    const second = again && this.#met(seen, again);
    return second !== undefined && second.unmet.length === 0 ? second : first;
  }

  #met(seen: ObservedReply, match: ReplyMatch): { match: ReplyMatch; unmet: readonly Unmet[] } {
    if (match.kind === 'mismatch') return { match, unmet: [] };
    return {
      match,
      unmet: this.#rules.demands.unmet(this.#connection, this.#states.state, seen, match.item),
    };
  }

  /** Whether it has most likely left before a call that has ended the life of the QP. */
  #ofFormerLife(entry: ReplyEntry): boolean {
    entry.former = this.#former?.sent(entry.t) === true;
    const states = this.#states;
    const after = entry.former ? formerReply(this.#connection, this.#rules, states.state, entry) : undefined;
    if (after === undefined) return false;
    states.state = after;
    states.ambiguous = true;
    return true;
  }

  /** Whether a captured response can be looked at no further: damaged on the way, or wrong by its header alone. */
  #spoiled(entry: ReplyEntry): boolean {
    const { seen } = entry;
    const damaged = !seen.packet.icrcOk;
    if (damaged) this.#report.skip('responses damaged on the way');
    const wrong = damaged ? [] : this.#rules.demands.wrongHeader(this.#connection, this.#states.state, seen);
    for (const unmet of wrong) this.#report.violate(entry, unmet);
    const spoiled = damaged || wrong.length > 0;
    if (spoiled) this.#states.pop();
    return spoiled;
  }

  /** Whether what cannot be explained may be a copy, or has been overtaken on its way: of these nothing is said. */
  #isCopy({ copy, seen }: ReplyEntry): boolean {
    if (copy !== true && this.#sight?.overtaken(seen) !== true) return false;
    this.#report.skip(copy === true ? copies : overtaken);
    this.#states.pop();
    return true;
  }

  /**
   * Whether the answer to a repeated request counts more than was seen to be carried out: newer requests may have been, which the capture lacks.
   * What comes behind tells.
   */
  #countsMore({ seen }: ReplyEntry, unmet: readonly Unmet[]): boolean {
    if (this.#sight === undefined || unmet.length === 0) return false;
    const { msn, msnBase } = this.#states.state;
    const more = psnDiff(seen.msn, msnBase + msn);
    if (more <= 0 || more > lateSpan || !unmet.every(({ key }) => key === 'mustMsn')) return false;
    this.#report.skip(moreSince);
    this.#states.pop();
    return true;
  }

  /** Whether what cannot be explained may be of another connection, of which nothing is known. */
  #beginsAnew(): boolean {
    if (this.#sight?.mayBeginAnew !== true) return false;
    this.#report.skip(otherConnection);
    return true;
  }

  /** Whether what cannot be explained may answer what was carried out before the capture, so that the expected PSN is another one. */
  #mayRepeat({ seen }: ReplyEntry): boolean {
    if (this.#sight?.mayRepeat(seen) !== true) return false;
    this.#report.skip(repetitions);
    return true;
  }

  /** Whether it refuses a request for a reason of the responder's own. */
  #refusesForItself(entry: ReplyEntry): boolean {
    const why = this.#sight?.ownReason(entry.seen);
    if (why === undefined) return false;
    this.#report.skip(why);
    // whatever it refuses, it counts what was completed before
    this.#countsWrong(entry);
    return true;
  }

  /** Whether its MSN cannot be right, whichever way explains it; that has been reported. */
  #countsWrong(entry: ReplyEntry): boolean {
    const { seen } = entry;
    const rule = this.#rules.demands.counts(this.#states.state, seen);
    const range = this.#sight?.mayBeginAnew === false ? this.#possibleMsns(entry) : undefined;
    if (rule === undefined || range === undefined) return false;
    this.#report.violate(entry, { rule, expected: `MSN ${range}`, observed: `MSN ${seen.msn}` });
    return true;
  }

  /** The MSNs that were possible, where that of the response is not. */
  #possibleMsns(entry: ReplyEntry): string | undefined {
    const late = entry.copy === true || this.#sight?.overtaken(entry.seen) === true;
    if (late || this.#states.guessing || this.#lacking(entry) !== undefined) return undefined;
    return this.#sight?.possibleMsns(entry.seen);
  }

  /** No reply that is due in the likeliest state is the response. */
  #unexplained(entry: ReplyEntry, match: Extract<ReplyMatch, { kind: 'mismatch' }>): Stopped | undefined {
    const states = this.#states;
    const other = states.otherWay();
    if (other !== true && this.#refusesForItself(entry)) return {};
    if (other === 'too many') return this.#tooMany(entry);
    if (other || this.#isCopy(entry)) return undefined;
    const but = this.#otherWayBut(entry);
    if (but === 'anew') return {};
    if (but !== false) return but === 'too many' ? tooManyWays : undefined;
    const late = formerReply(this.#connection, this.#rules, states.state, entry) !== undefined;
    const { rule, item } = late
      ? { rule: this.#rules.demands.unasked(states.state, entry.seen), item: undefined }
      : states.attribution.violatedRule(entry.seen, match, states.state.replies.list());
    if (rule === undefined || states.guessing)
      return { why: 'a response that could not be tied to a request' };
    const lost = this.#lost(entry);
    if (lost !== undefined) return lost;
    // a request that was seen before may have come once more, and the capture lacks it
    if (this.#sight !== undefined && rule === this.#rules.demands.unasked(states.state, entry.seen))
      return { why: 'a response that no request in the capture calls for' };
    if (this.#beginsAnew() || this.#mayRepeat(entry)) return {};
    this.#report.violate(entry, {
      rule,
      expected: expectation(item),
      observed: describe(entry.seen.packet),
    });
    return {};
  }

  /** Looks for a way that explains the response itself, though not what it carries; notes what is wrong with that. */
  #otherWayBut(entry: ReplyEntry): boolean | 'too many' | 'anew' {
    for (const state of this.#states.beforeNewest()) {
      const match = matchReply(state, entry.seen, false);
      if (match.kind === 'mismatch') continue;
      const unmet = this.#rules.demands.unmet(this.#connection, state, entry.seen, match.item);
      if (this.#beginsAnew()) return 'anew';
      entry.reported = true;
      const other = this.#states.otherWay();
      if (other !== false) for (const failed of unmet) this.#report.violate(entry, failed);
      return other === 'too many' ? other : true;
    }
    return false;
  }

  /** Whether demands are not met that nothing beyond the capture could explain. */
  #beyondDoubt(entry: ReplyEntry, unmet: readonly Unmet[]): boolean {
    if (this.#sight === undefined || this.#states.guessing || this.#lacking(entry) !== undefined)
      return false;
    return this.#sight.beyondDoubt(unmet, entry.seen);
  }

  /** Nobody knows whether a way explains it; where the capture lacks the request, that is why. */
  #tooMany(entry: ReplyEntry): Stopped | undefined {
    if (this.#isCopy(entry)) return undefined;
    // an Acknowledge may count what the capture lacks; a NAK counts nothing of what it refuses
    if (isNak(entry.seen) && this.#countsWrong(entry)) return {};
    return this.#lost(entry) ?? tooManyWays;
  }

  /** Judging begins anew where the capture may lack the request that explains the response, or shows the begin of another connection. */
  #lost(entry: ReplyEntry): Stopped | undefined {
    const why = this.#lacking(entry);
    if (why === undefined) return undefined;
    return this.#sight?.leaps === true && this.#beginsAnew() ? {} : { why };
  }

  /** Why a capture may lack the request that explains the response. */
  #lacking({ seen }: ReplyEntry): string | undefined {
    return this.#sight?.lacking(seen, this.#states.requests, this.#states.state);
  }

  /** A response of a capture leaves no doubt where nothing else is pending. */
  #answered({ seen }: ReplyEntry, sight: CaptureVisibility): void {
    const { state } = this.#states;
    const { replies } = state;
    for (let i = 0; i < replies.length; i++) {
      const reply = replies.at(i);
      if (reply?.kind !== 'ack' || psnDiff(reply.psnTo, seen.psn) > 0) return;
    }
    if (sight.contested && !this.#states.agree()) return;
    // what the device says of the newest request it says of all: ways may differ in how it came to this
    const exact = seen.kind === 'ack' || seen.kind === 'atomic-ack';
    if (exact && seen.psn === sight.newestPsn) this.#rules.machine.step('caughtUp')({ reply: seen }, state);
    this.#states.certain();
  }
}
