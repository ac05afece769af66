import type { Objects } from '../device/objects.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import type { Stalls } from '../device/stalls.ts';
import { outcomeWord, outcomeWords } from '../rulebook/outcome.ts';
import type { Outcome } from '../rules.ts';
import type { When } from '../spot.ts';
import { mismatchOf, type Decided, type End } from './compare.ts';
import { deadline } from './deadline.ts';
import type { OpenSend } from './end.ts';
import type { Ends } from './ends.ts';
import { changeRequester, changeResponder } from './memory.ts';
import { askedOf, localReason, reaches, remoteReasons, type Asked, type Reason } from './reason.ts';
import { effectsTable, type EffectsBook } from './tables.ts';

/** What deciding on work needs. */
export interface Around {
  book: EffectsBook;
  objects: Objects;
  ends: Ends;
  stalls: Stalls;
  limits: RetryLimits;
  /** nanoseconds after which a conformant answer that waits for no timer has been seen */
  responseTime: number;
}

/** Judges one work request; `false` where its completion waits for timers that still run. */
export function decideWork(
  around: Around,
  from: End,
  to: End | undefined,
  send: OpenSend,
  at: When,
): boolean {
  const { book, objects, ends } = around;
  const asked = askedOf(send);
  const reached = reaches(from, to);
  const [reason = 'none', other] = reasonsOf(objects, from, reached ? to : undefined, send, asked);
  if (asked === undefined || other !== undefined) {
    ends.lose(from, asked === undefined ? 'SEND with invalidate, unseen' : 'several faults at once');
    if (to !== undefined) ends.lose(to, 'a QP whose other end is not judged');
    return true;
  }
  const rules = book.ask(effectsTable[from.service], { asked, reason });
  const [rule] = rules;
  if (rule === undefined) return true;
  if (waits(around, from, to, send, reason, at.t)) return false;
  book.exercise(rules);
  const decided: Decided = { from, to: reached ? to : undefined, send, asked, reason, rule };
  const mismatches = rule.outcomes.map((outcome) => mismatchOf(decided, outcome));
  const fitting = mismatches.indexOf(undefined);
  const [mismatch] = mismatches;
  if (fitting < 0 && mismatch !== undefined) {
    const { qp, what } = mismatch;
    book.violate(rule, { event: mismatch.event ?? at.event, t: at.t, qp }, what.expected, what.observed);
    // nothing more is said of either QP, and nothing is doubtful
    from.lost = true;
    if (to !== undefined) to.lost = true;
    return true;
  }
  apply(around, decided, rule.outcomes[Math.max(0, fitting)] ?? {});
  return true;
}

/** What is wrong with the work request; `to`: the QP that it reaches. */
function reasonsOf(
  objects: Objects,
  from: End,
  to: End | undefined,
  send: OpenSend,
  asked: Asked | undefined,
): Reason[] {
  const local = asked && localReason(from, send, asked, objects);
  if (asked === undefined || local === undefined || local !== 'none') return [local ?? 'none'];
  return to === undefined ? ['unreachable'] : remoteReasons(from, to, send, asked, objects.memory);
}

function waits(
  { stalls, limits, responseTime }: Around,
  from: End,
  to: End | undefined,
  send: OpenSend,
  reason: Reason,
  t: number,
): boolean {
  if (from.service !== 'RC' || (reason !== 'unreachable' && reason !== 'no-receive')) return false;
  if (from.sendsSeen.some(({ wc }) => wc.wr_id === send.wr.wr_id)) return false;
  return t - stalls.between(send.t, t) < deadline(limits, from, to, send, reason, responseTime);
}

/** Flushed work: where the fault before it showed late, its packets may have been on their way already. */
export function perhapsSent({ objects, ends }: Around, from: End, to: End | undefined, send: OpenSend): void {
  const asked = askedOf(send);
  if (!from.failedLate || asked === undefined || !reaches(from, to)) return;
  changeResponder(objects.memory, to, send, asked, 'undecided');
  if (asked !== 'write' && asked !== 'read' && asked !== 'atomic')
    ends.lose(to, 'a receive that flushed work may have taken');
}

function apply({ objects, ends }: Around, decided: Decided, outcome: Outcome): void {
  const { from, to, send, asked, rule } = decided;
  const sound = outcomeWords(outcome, 'requesterStatus')[0] === 'IBV_WC_SUCCESS';
  changeRequester(objects.memory, send, asked, sound ? 'whole' : 'undecided');
  if (from.sendsSeen[0]?.wc.wr_id === send.wr.wr_id) from.sendsSeen.shift();
  from.sends = from.sends.filter((other) => other !== send);
  from.rule = rule;
  if (to !== undefined) applyResponder(objects, ends, { ...decided, to }, outcome);
  const state = outcomeWord(outcome, 'requesterQp');
  from.failedLate = outcomeWord(outcome, 'behind') === 'may-arrive';
  if (state === 'error') from.state = 'ERR';
  else if (state === 'sqe') from.state = 'SQE';
}

function applyResponder(
  objects: Objects,
  ends: Ends,
  { to, send, asked, rule }: Decided & { to: End },
  outcome: Outcome,
): void {
  to.rule = rule;
  const memory = outcomeWord(outcome, 'responderMemory');
  if (memory !== 'untouched')
    changeResponder(objects.memory, to, send, asked, memory === 'whole' ? 'whole' : 'undecided');
  const status = outcomeWords(outcome, 'responderStatus');
  const [seen] = to.receivesSeen;
  const reported = outcomeWord(outcome, 'responderReport') === 'message';
  if (reported || (seen !== undefined && status.includes(seen.wc.status))) {
    to.receivesSeen.shift();
    to.receives.waiting.shift();
  }
  const events = outcomeWords(outcome, 'responderEvent');
  to.eventsSeen = to.eventsSeen.filter(({ event }) => !events.includes(event.event_type));
  const after = outcomeWord(outcome, 'responderQp');
  if (after === 'error') to.state = 'ERR';
  else if (after === 'either') ends.lose(to, 'a QP that may be in ERR or not');
}
