import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { Qp } from '../../device/qp.ts';
import type { RequestEntry } from '../../rc-responder/entry.ts';
import type { ReplyEntry } from '../../rc-responder/capture/doubts.ts';
import { ResponderJudge } from '../../rc-responder/judge.ts';
import type { ResponderRules } from '../../rc-responder/rules.ts';
import type { ResponderState } from '../../rc-responder/state.ts';
import type { When } from '../../spot.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { inUnits } from '../../time.ts';
import type { HeldVerdicts } from './held.ts';
import type { Unmet } from '../../rc-responder/responses/demands.ts';
import { OrderedRun } from './ordered-run.ts';
import type { Reached } from './ordered-run.ts';
import { stateBehind } from './state-behind.ts';
import { isPositive } from './positive.ts';
import { Refusals } from './refusals.ts';

/** Requests behind an acknowledged message with which judging begins or goes on. */
const mostBehind = 384;

interface Surroundings {
  readonly rules: ResponderRules;
  readonly held: HeldVerdicts;
  readonly patience: number;
  /** its QP, every packet of which is seen */
  readonly qp: Qp;
}

/** What it has not answered since then. */
interface Overdue {
  readonly since: When;
  readonly late: Unmet;
}

/**
 * Judges one RC responder of which the capture shows every packet, by the judge of the live run. That begins where the judge of
 * lossy captures has found out the state, or behind a message that is answered in order, and ends where the state is no longer certain.
 */
export class CompleteResponder {
  readonly #around: Surroundings;
  #judge: ResponderJudge | undefined;
  /** first PSN that is missing before others that were seen; -1: none */
  #hole = -1;
  #next = -1;
  /** PSN of the newest request; -1: none */
  #newest = -1;
  readonly #refusals = new Refusals();
  readonly #run = new OrderedRun();
  /**
   * How far it is followed: answers to what came twice may still be on their way (`open`), or those before the newest request are
   * done (`done`), and a request has come since (`asked`).
   */
  #before: 'open' | 'done' | 'asked' = 'open';
  /** the first request since it answered last; `undefined`: none */
  #silent: When | undefined;
  /** its newest answer, which may have left something unanswered; `undefined`: it has not */
  #answered: When | undefined;
  /** what it is known to have left unanswered for long: requests that come meanwhile leave more ways than can be followed */
  #overdueFor: Overdue | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** `reaches`: the PSN behind those of the request; `undefined` where that of a READ is not known. */
  request(entry: RequestEntry, reaches: number | undefined): void {
    const { psn } = entry.packet;
    const gap = this.#next < 0 ? 0 : psnDiff(psn, this.#next);
    const again = this.#newest >= 0 && psnDiff(psn, this.#newest) <= 0;
    if (!again) this.#newest = psn;
    const inOrder = gap === 0 && !again;
    if (!inOrder) this.#before = 'open';
    else if (this.#before === 'done') this.#before = 'asked';
    if (gap > 0 && this.#hole < 0) this.#hole = this.#next;
    if (this.#hole >= 0 && psnDiff(psn, this.#hole) <= 0) this.#hole = -1;
    if (gap >= 0 || this.#next < 0) this.#next = reaches ?? -1;
    this.#silent ??= entry;
    // those called for no response
    if (this.#isLong(this.#answered, entry.t) && this.#overdue(entry.t) === undefined)
      this.#answered = undefined;
    if (this.#isLong(this.#silent, entry.t) && this.#overdue(entry.t) === undefined) this.#silent = entry;
    if (!inOrder || reaches === undefined) this.#run.restart();
    if (reaches !== undefined) this.#run.add(entry, reaches);
    this.#push(entry);
  }

  /** `lossy`: the judge of lossy captures, which has looked at the response. `mtu`: path MTU in bytes, 0 where it is not known. */
  reply(seen: ObservedReply, when: When, lossy: ResponderJudge, mtu: number): void {
    const settled = lossy.settledState;
    this.#late(when);
    this.#silent = undefined;
    this.#answered = when;
    if (this.#contradicts(seen)) this.forget();
    else this.#answer({ kind: 'reply', ...when, seen });
    this.#refusals.saw(seen);
    // behind an answer by which judging ended, it does not begin
    const reached = this.#run.answered(seen, when.event);
    if (settled === undefined) return this.#join(reached, { kind: 'reply', ...when, seen }, lossy, mtu);
    if (this.#before === 'asked') {
      if (this.#judge === undefined) this.#start(settled);
      else this.#judge.agreeOn(settled);
    } else if (this.#before === 'open' && this.#judge === undefined) this.#before = 'done';
  }

  #start(settled: ResponderState): void {
    const { qp, rules, held } = this.#around;
    this.#judge = new ResponderJudge(qp, rules, held.ledger);
    this.#judge.startAt(settled);
  }

  /** Begins behind a message that a response has acknowledged, with the requests that have come since. */
  #join(reached: Reached | undefined, answer: ReplyEntry, lossy: ResponderJudge, mtu: number): void {
    if (reached === undefined) return;
    const { end, behind } = reached;
    const judge = this.#judge;
    // all ways to explain so many would take long to find
    if (behind.length > mostBehind) return judge && this.forget();
    if (judge?.follows(behind.length) === false) return;
    const counted = judge !== undefined && judge.state.msnBase >= 0;
    const state = stateBehind(reached, answer, { lossy, rules: this.#around.rules, mtu });
    // behind a READ it does not say how many messages were counted
    if (state === undefined || (counted && state.msnBase < 0)) return;
    if (judge !== undefined) return judge.agreeBehind(state, end);
    this.#start(state);
    for (const entry of behind) this.#push(entry);
  }

  /** Its state is no longer certain. */
  forget(): void {
    this.#judge = undefined;
    this.#run.restart();
    this.#before = 'open';
    this.#silent = undefined;
    this.#answered = undefined;
    this.#overdueFor = undefined;
  }

  /** Another connection may begin, or packets were not seen. */
  restart(): void {
    this.forget();
    this.#hole = -1;
    this.#next = -1;
    this.#newest = -1;
    this.#refusals.clear();
  }

  finish(t: number): void {
    const overdue = this.#overdue(t);
    if (overdue === undefined) return;
    const { late } = overdue;
    const { held, qp, patience } = this.#around;
    const silence = `no response within ${inUnits(patience)}`;
    held.doubt(
      `${qp.name}: ${silence}, ${late.expected} is due: ${late.rule.id} is broken, or the QP is gone`,
    );
  }

  /** Behind a refusal that may have reasons of its own nothing is known. */
  #answer(entry: ReplyEntry): void {
    const { seen } = entry;
    const excuse = this.#refusals.excuse(seen, this.#next < 0 ? psnAdd(this.#newest, 1) : this.#next);
    const judge = this.#judge;
    if (excuse === undefined || judge === undefined) return this.#push(entry);
    const { held, rules } = this.#around;
    const found = held.ledger.tentatively(() => {
      this.#push(entry);
    });
    if (found.length === 0) return;
    const demands = rules.demands.rulesFor(judge.state, seen);
    for (const violation of found) {
      // what any response has to be like holds for a refusal as well
      if (demands.some(({ id }) => id === violation.rule)) held.ledger.violate(violation);
    }
    held.ledger.skip(excuse);
    this.forget();
  }

  #push(entry: Parameters<ResponderJudge['push']>[0]): void {
    this.#judge?.push(entry);
    if (this.#judge?.lost === true) this.forget();
  }

  #isLong(since: When | undefined, t: number): boolean {
    return since !== undefined && t - since.t > this.#around.patience;
  }

  /** What it has not answered for long, neither when it answered last nor since. */
  #overdue(t: number): Overdue | undefined {
    return (this.#overdueFor ??= this.#leftUnanswered(t));
  }

  #leftUnanswered(t: number): Overdue | undefined {
    for (const since of [this.#answered, this.#silent]) {
      const late = since && this.#isLong(since, t) ? this.#judge?.late(since.event + 1) : undefined;
      if (since && late) return { since, late };
    }
    return undefined;
  }

  /** It answers again, so the QP was there, and its silence was a fault. */
  #late(when: When): void {
    const overdue = this.#overdue(when.t);
    if (overdue === undefined) return;
    const { held, qp } = this.#around;
    const { rule, expected } = overdue.late;
    const observed = `no response within ${inUnits(when.t - overdue.since.t)}`;
    held.ledger.violate({ rule: rule.id, ...when, qp: qp.name, expected, observed });
    this.forget();
  }

  /** Whether it acknowledges what the capture does not hold. */
  #contradicts(seen: ObservedReply): boolean {
    if (!isPositive(seen) || this.#next < 0) return false;
    const beyond = psnDiff(seen.psn, this.#next) >= 0;
    const over = this.#hole >= 0 && psnDiff(seen.psn, this.#hole) >= 0;
    if (!beyond && !over) return false;
    const lacked = over ? this.#hole : this.#next;
    const { held, qp } = this.#around;
    held.contradict(qp.name, `it acknowledges PSN ${seen.psn}, and no request has PSN ${lacked}`);
    return true;
  }
}
