import type { ResponderContext } from '../context.ts';
import { describe } from '../../../wire/index.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { isNak } from '../../device/packet/observed-reply.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { FormerLife } from '../../device/former-life.ts';
import type { Qp } from '../../device/qp.ts';
import { ResponseDoubts } from '../capture/doubts.ts';
import type { ReplyEntry } from '../capture/doubts.ts';
import type { RequestEntry } from '../entry.ts';
import type { CaptureVisibility } from '../capture/visibility.ts';
import type { Unmet } from './demands.ts';
import { brokenBy } from './broken.ts';
import { expectation } from './expectation.ts';
import { acceptReply, matchRepeat, matchReply } from './match.ts';
import type { ReplyMatch } from './match.ts';
import { manyWays, tooManyWays } from '../possible-states.ts';
import type { PossibleResponderStates, Stopped } from '../possible-states.ts';
import type { ResponderReport } from '../report.ts';
import type { ResponderRules } from '../rules.ts';
import { formerReply } from '../search.ts';
import type { ResponderState } from '../state.ts';

/** Demands on what counts requests that were carried out. */
const counted: ReadonlySet<string> = new Set(['mustMsn', 'mustPsn']);

/** Judges the responses of one responder, before anything is called a violation by every state that it may be in. */
export class ReplyJudge {
  readonly #connection: Qp;
  readonly #rules: ResponderRules;
  readonly #states: PossibleResponderStates;
  readonly #report: ResponderReport;
  readonly #sight: CaptureVisibility | undefined;
  readonly #former: FormerLife | undefined;
  readonly #doubts: ResponseDoubts;

  constructor(context: ResponderContext, former: FormerLife | undefined) {
    const { connection, rules, states, report, sight } = context;
    this.#connection = connection;
    this.#rules = rules;
    this.#states = states;
    this.#report = report;
    this.#sight = sight;
    this.#former = former;
    this.#doubts = new ResponseDoubts(context);
  }

  /** Gives why judging cannot go on; `undefined` where it can. */
  judge(entry: ReplyEntry): Stopped | undefined {
    const { seen } = entry;
    const states = this.#states;
    const { demands } = this.#rules;
    if (this.#sight !== undefined && this.#doubts.spoiled(entry)) return undefined;
    if (this.#ofFormerLife(entry)) return undefined;
    const { match, unmet } = this.#match(entry);
    if (match.kind === 'mismatch') return this.#unexplained(entry);
    const open = unmet.some(({ certain }) => certain !== true);
    if (match.item?.repeat === true && this.#doubts.countsMore(entry, unmet)) return undefined;
    if (open && !this.#doubts.beyondDoubt(entry, unmet)) {
      const other = states.otherWay();
      if (other === 'too many') return this.#tooMany(entry);
      if (other) return this.#otherwise(entry);
      if (this.#doubts.isCopy(entry)) return undefined;
      const lost = this.#doubts.lost(entry);
      if (lost !== undefined) return lost;
      if (this.#doubts.answersAnother()) return {};
    }
    if (open && this.#doubts.isCopy(entry)) return undefined;
    if (unmet.length > 0 && this.#doubts.beginsAnew()) return {};
    if (open && unmet.every(({ key = '' }) => counted.has(key)) && this.#doubts.mayRepeat(entry)) return {};
    this.#report.exercise(demands.rulesFor(states.state, seen));
    if (this.#connection.verbs)
      this.#report.exercise(demands.pathRules(this.#connection, states.state, entry.seen));
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
    const left = entry.former ? formerReply(this.#connection, this.#rules, states.state, entry) : undefined;
    if (left === undefined) return false;
    states.state = left.after;
    states.ambiguous = true;
    for (const failed of left.unmet) this.#report.violateOnce(entry, failed);
    return true;
  }

  /** Another state explains the response; bits that are wrong in every state remain. Which MigReq is right depends on the path of its request. */
  #otherwise(entry: ReplyEntry): undefined {
    const unmet = this.#rules.demands.unmet(this.#connection, this.#states.state, entry.seen, undefined);
    for (const failed of unmet) if (failed.key === 'mustBits') this.#report.violateOnce(entry, failed);
  }

  /** No reply that is due in the likeliest state is the response. */
  #unexplained(entry: ReplyEntry): Stopped | undefined {
    const states = this.#states;
    const other = states.otherWay();
    if (other !== true && this.#doubts.refusesForItself(entry)) return {};
    if (other === 'too many') return this.#tooMany(entry);
    if (other) return this.#otherwise(entry);
    if (this.#doubts.isCopy(entry)) return undefined;
    if (isNak(entry.seen) && this.#doubts.countsWrong(entry)) return {};
    const before = states.beforeNewest();
    const but = this.#otherWayBut(entry, before);
    if (but === 'anew') return {};
    if (but !== false) return but === 'too many' ? tooManyWays : undefined;
    const late = formerReply(this.#connection, this.#rules, states.state, entry) !== undefined;
    const { rule, expected } = late
      ? { rule: this.#rules.demands.unasked(states.state, entry.seen), expected: expectation(undefined) }
      : brokenBy(entry.seen, [states.state, ...before], states.attribution, this.#sight !== undefined);
    if (rule === undefined || states.guessing)
      return { why: 'a response that could not be tied to a request' };
    const lost = this.#doubts.lost(entry);
    if (lost !== undefined) return lost;
    // a request that was seen before may have come once more, and the capture lacks it
    if (this.#sight !== undefined && rule === this.#rules.demands.unasked(states.state, entry.seen))
      return { why: 'a response that no request in the capture calls for' };
    if (this.#doubts.beginsAnew() || this.#doubts.answersAnother() || this.#doubts.mayRepeat(entry))
      return {};
    this.#report.violate(entry, {
      rule,
      expected,
      observed: describe(entry.seen.packet),
    });
    return {};
  }

  /** Looks for a way that explains the response itself, though not what it carries; notes what is wrong with that. */
  #otherWayBut(entry: ReplyEntry, ways: readonly ResponderState[]): boolean | 'too many' | 'anew' {
    for (const state of ways) {
      const match = matchReply(state, entry.seen, false);
      if (match.kind === 'mismatch') continue;
      const unmet = this.#rules.demands.unmet(this.#connection, state, entry.seen, match.item);
      if (this.#doubts.beginsAnew()) return 'anew';
      entry.reported = true;
      const other = this.#states.otherWay();
      if (other !== false) for (const failed of unmet) this.#report.violate(entry, failed);
      return other === 'too many' ? other : true;
    }
    return false;
  }

  /** It is unknown whether a way explains it; where the capture lacks the request, that is why. */
  #tooMany(entry: ReplyEntry): Stopped | undefined {
    if (this.#doubts.isCopy(entry)) return undefined;
    // an Acknowledge may count what the capture lacks; a NAK counts nothing of what it refuses
    if (isNak(entry.seen) && this.#doubts.countsWrong(entry)) return {};
    if (this.#states.explained) {
      this.#report.skip(manyWays);
      return {};
    }
    return this.#doubts.lost(entry) ?? tooManyWays;
  }

  /** A response of a capture leaves no doubt where nothing else is pending. */
  #answered({ seen }: ReplyEntry, sight: CaptureVisibility): void {
    const { state } = this.#states;
    const { replies } = state;
    for (let i = 0; i < replies.length; i++) {
      const reply = replies.at(i);
      if (reply?.kind !== 'ack' || psnDiff(reply.psnTo, seen.psn) > 0) return;
    }
    // behind the answer to a repetition, it is unknown how much of what is newer has arrived
    const behind = psnDiff(state.ePsn, seen.psn) > 1;
    const open = sight.contested || behind || shareOnePsn(this.#states.requests);
    if (open && !this.#states.agree()) return;
    // what the device says of the newest request it says of all: ways may differ in how it came to this
    const exact = seen.kind === 'ack' || seen.kind === 'atomic-ack';
    if (exact && seen.psn === sight.newestPsn) this.#rules.machine.caughtUp({ reply: seen }, state);
    this.#states.certain();
  }
}

/** Whether two of them have one PSN and are not the same: nobody knows which of them was taken. */
function shareOnePsn(requests: readonly RequestEntry[]): boolean {
  if (requests.length < 2) return false;
  const opcodes = new Map<number, number>();
  for (const { packet } of requests) {
    const before = opcodes.get(packet.psn);
    if (before !== undefined && before !== packet.opcode) return true;
    opcodes.set(packet.psn, packet.opcode);
  }
  return false;
}
