import type { Objects } from '../device/objects.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import type { Stalls } from '../device/stalls.ts';
import { outcomeWord, outcomeWords } from '../rulebook/outcome.ts';
import type { Outcome } from '../rules.ts';
import type { When } from '../spot.ts';
import { mismatchOf, type Decided } from './compare.ts';
import { deadline } from './deadline.ts';
import type { End, OpenSend } from './end.ts';
import type { Ends } from './ends.ts';
import { changeRequester, changeResponder } from './memory.ts';
import type { EndToEndMachine } from './machine.ts';
import { askedOf, takesReceive, workOf } from './reason.ts';
import { effectsTable, type EffectsBook } from './tables.ts';

/** What deciding on work needs. */
export interface Around {
  machine: EndToEndMachine;
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
  const { machine, book, objects, ends } = around;
  const asked = askedOf(send);
  if (asked === undefined) return unjudged(ends, from, to, 'SEND with invalidate, unseen');
  if (objects.memory.windows.byRkey(send.wr.rkey ?? 0) !== undefined)
    return unjudged(ends, from, to, 'memory of a window, unseen');
  const work = workOf(objects, from, to, send, asked);
  // without packets it is unknown what has left before it, and what is behind it waits as well
  if (machine.flag('heldBack')(work, from))
    return unjudged(ends, from, to, 'a READ or ATOMIC that max_rd_atomic 0 holds back');
  if (machine.flag('givenUp')(work, from))
    return unjudged(ends, from, to, 'work given up by a device that may have no time for a request');
  const [reason = 'none', other] = machine.possible('reason')(work, from);
  if (other !== undefined) return unjudged(ends, from, to, 'several faults at once');
  const facts = { asked: machine.fact('asked')(work, from), reason };
  const rules = book.ask(effectsTable[from.service], facts);
  const [rule] = rules;
  if (rule === undefined) return true;
  if (waits(around, from, to, send, reason, at.t)) return false;
  const reached = machine.flag('reached')(work, from) ? to : undefined;
  const failsBehind: Decided['failsBehind'] = (status, judged) =>
    mayFailBehind(around, from, to, send, { status, judged });
  const decided: Decided = { from, to: reached, send, asked, rule, failsBehind };
  const mismatches = rule.outcomes.map((outcome) => mismatchOf(decided, outcome));
  const fitting = mismatches.indexOf(undefined);
  const [mismatch] = mismatches;
  const broken = fitting < 0 && mismatch !== undefined;
  if (broken && mayBePutOff(around, from, to, send, at.t)) return false;
  book.exercise(rules);
  if (broken) {
    const { qp, what } = mismatch;
    book.violate(rule, { event: mismatch.event ?? at.event, t: at.t, qp }, what.expected, what.observed);
    ends.broken(from);
    if (to !== undefined) ends.broken(to);
    return true;
  }
  apply(around, decided, rule.outcomes[Math.max(0, fitting)] ?? {});
  return true;
}

/** Whether a receive WQE may complete with that status by work that stands behind, and is not judged yet. */
function mayFailBehind(
  { machine, book, objects, ends }: Around,
  from: End,
  to: End | undefined,
  send: OpenSend,
  { status, judged }: { status: string; judged: boolean },
): boolean {
  return from.sends.slice(from.sends.indexOf(send) + 1).some((later) => {
    const asked = askedOf(later);
    if (asked === undefined) return true;
    if (!takesReceive(asked) || ends.addressee(from, later) !== to) return false;
    const work = workOf(objects, from, to, later, asked);
    // of two that are to be dropped, the one that met the receive WQE is the cause
    if (judged && machine.flag('short')(work, from)) return true;
    return machine
      .possible('reason')(work, from)
      .flatMap((reason) =>
        book.ask(effectsTable[from.service], { asked: machine.fact('asked')(work, from), reason }),
      )
      .some(({ outcomes }) =>
        outcomes.some((outcome) => outcomeWords(outcome, 'responderStatus').includes(status)),
      );
  });
}

/** Nothing more is said of either QP. */
function unjudged(ends: Ends, from: End, to: End | undefined, why: string): true {
  ends.lose(from, why);
  if (to !== undefined) ends.lose(to, 'a QP whose other end is not judged');
  return true;
}

function waits(
  { stalls, limits, responseTime }: Around,
  from: End,
  to: End | undefined,
  send: OpenSend,
  reason: string,
  t: number,
): boolean {
  if (from.service !== 'RC' || (reason !== 'unreachable' && reason !== 'no-receive')) return false;
  if (from.sendsSeen.some(({ wc }) => wc.wr_id === send.wr.wr_id)) return false;
  return t - stalls.between(send.t, t) < deadline(limits, from, to, send, reason, responseTime);
}

/** Whether a responder that may refuse any request by an RNR NAK may not have carried it out yet. */
function mayBePutOff(around: Around, from: End, to: End | undefined, send: OpenSend, t: number): boolean {
  const puts = around.objects.capabilities?.has('rnr-any-request') === true;
  return puts && waits(around, from, to, send, 'no-receive', t);
}

/** Flushed work: where the fault before it showed late, its packets may have been on their way already. */
export function perhapsSent(
  { machine, objects, ends }: Around,
  from: End,
  to: End | undefined,
  send: OpenSend,
): void {
  const asked = askedOf(send);
  if (from.failedLate !== true || asked === undefined || to === undefined) return;
  if (!machine.flag('reached')(workOf(objects, from, to, send, asked), from)) return;
  changeResponder(objects.memory, to, send, asked, 'undecided');
  if (takesReceive(asked)) ends.lose(to, 'a receive that flushed work may have taken');
}

function apply(around: Around, decided: Decided, outcome: Outcome): void {
  const { machine, objects } = around;
  const { from, to, send, asked, rule } = decided;
  const sound = outcomeWords(outcome, 'requesterStatus')[0] === 'IBV_WC_SUCCESS';
  changeRequester(objects.memory, send, asked, sound ? 'whole' : 'undecided');
  if (from.sendsSeen[0]?.wc.wr_id === send.wr.wr_id) from.sendsSeen.shift();
  from.sends = from.sends.filter((other) => other !== send);
  from.rule = rule;
  if (to !== undefined) applyResponder(around, { ...decided, to }, outcome);
  machine.effect('behind')(outcome, {}, from);
  machine.effect('requesterQp')(outcome, {}, from);
}

function applyResponder(
  { machine, objects, ends }: Around,
  { to, send, asked, rule }: Decided & { to: End },
  outcome: Outcome,
): void {
  to.rule = rule;
  const memory = outcomeWord(outcome, 'responderMemory');
  if (memory !== undefined && memory !== 'untouched')
    changeResponder(objects.memory, to, send, asked, memory === 'whole' ? 'whole' : 'undecided');
  const status = outcomeWords(outcome, 'responderStatus');
  const [seen] = to.receivesSeen;
  const report = outcomeWord(outcome, 'responderReport');
  const failed = report !== 'event' && seen !== undefined && status.includes(seen.wc.status);
  if (report === 'message' || failed) {
    to.receivesSeen.shift();
    to.receives.waiting.shift();
  }
  // a fault is reported once: what a completion tells, no event tells as well
  const events = failed ? [] : outcomeWords(outcome, 'responderEvent');
  const place = to.eventsSeen.findIndex(({ event }) => events.includes(event.event_type));
  if (place >= 0) to.eventsSeen.splice(place, 1);
  machine.effect('responderQp')(outcome, {}, to);
  if (outcomeWord(outcome, 'responderQp') === 'either') ends.loseState(to, 'a QP that may be in ERR or not');
}
