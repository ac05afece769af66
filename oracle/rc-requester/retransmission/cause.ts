import type { Packet } from '../../../wire/packet.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import { RequesterEvent } from '../inputs.ts';
import type { EventParts } from '../inputs.ts';
import { migrateExhausted } from '../migration.ts';
import type { Requester } from '../requester.ts';
import { expiryOf, oldest } from '../requester.ts';
import { retryRule } from './retry.ts';
import type { RequesterState, RetransmitCause } from '../state.ts';
import { onlyRule } from '../tables.ts';
import type { RequesterTables } from '../tables.ts';

/** A packet that goes back to what was sent before. */
export interface GoingBack {
  requester: Requester;
  tables: RequesterTables;
  state: RequesterState;
  packet: Packet;
  event: RequesterEvent;
  t: number;
}

/** What allows to go back to a packet. */
export interface CauseFound {
  /** value of the fact */
  retransmitCause: 'none' | 'this-or-later' | 'earlier';
  rules: readonly Rule[];
  /** the timer's rule that forbids what looks like the work of the timer */
  denied: Rule | undefined;
}

/**
 * The fact retransmitCause; takes what the cause costs from the counters. Built in: NAKs that wait are a list, of which any may
 * be the cause, each under the rules of its own timer.
 */
export function causeFor(back: GoingBack): CauseFound {
  const { tables, state, event } = back;
  const { machine } = state;
  const rules: Rule[] = [];
  let denied: Rule | undefined;
  for (const waiting of state.causes) {
    const seen = besides(back, { waiting, from: waiting.psn });
    if (!machine.callsFor(seen, state)) continue;
    if (waiting.cause === 'rnr-nak') {
      const rule = waitOf(back, waiting);
      rules.push(rule);
      if (expiryOf(rule) === 'forbidden') {
        denied = rule;
        continue;
      }
      rules.push(...waitKept(tables));
    } else if (heldBack(back, waiting.psn)) continue;
    return { retransmitCause: 'this-or-later', rules, denied: undefined };
  }
  const timer = onlyRule(tables.timer.at(event, state));
  const expiry = expiryOf(timer);
  const early = denied !== undefined;
  const seen = besides(back, {
    cause: 'timeout',
    back: { expiry: () => expiry, early: () => early, heldBack: () => heldBack(back, back.packet.psn) },
  });
  switch (machine.otherCause(seen, state)) {
    case 'allowed':
      machine.steps.mayHaveTimedOut(seen, state);
      return { retransmitCause: 'this-or-later', rules, denied: undefined };
    case 'timeout':
      return timeout(back, [...rules, timer], timer);
    case 'early':
      return { retransmitCause: 'none', rules, denied };
    case 'later':
      return { retransmitCause: 'earlier', rules, denied: undefined };
    default:
      // what starts at the oldest packet for no reason looks like the work of the timer
      return {
        retransmitCause: 'none',
        rules,
        denied: machine.reachesOldest(event, state) && !followsResponse(back) ? timer : undefined,
      };
  }
}

/** Whether a packet that goes back for no reason follows a response far more closely than it follows what was sent before. */
function followsResponse({ state: { lastResponse }, t }: GoingBack): boolean {
  return lastResponse !== undefined && (t - lastResponse.t) * 4 < t - lastResponse.sent;
}

function besides({ requester, state, t, event }: GoingBack, parts: EventParts): RequesterEvent {
  return new RequesterEvent(requester, state, t, { ...event.parts, ...parts });
}

/** What the rules say of the wait of an RNR NAK. */
function waitOf(back: GoingBack, nak: RetransmitCause): Rule {
  return onlyRule(back.tables.rnrTimer.at(besides(back, { nak }), back.state));
}

/** Whether the device waits for the receiver of this PSN, or of one before it. */
function heldBack(back: GoingBack, from: number): boolean {
  return back.state.causes.some(
    (waiting) =>
      back.state.machine.holdsBack(besides(back, { waiting, from }), back.state) &&
      expiryOf(waitOf(back, waiting)) === 'forbidden',
  );
}

/** What is sent again after the wait, and not for ever after, keeps both bounds of it. */
function waitKept({ rnrTimer }: RequesterTables): readonly Rule[] {
  return [...rnrTimer.by({ rnrWait: 'running' }), ...rnrTimer.by({ rnrWait: 'long-over' })];
}

/** The ACK timer has run out. */
function timeout(
  { requester, tables, state, packet, event, t }: GoingBack,
  rules: readonly Rule[],
  timer: Rule,
): CauseFound {
  const late = expiryOf(timer) === 'owed' ? timer : undefined;
  const ranOut = new RequesterEvent(requester, state, t, { packet, cause: 'timeout' });
  const retry = retryRule(tables, ranOut, state, {
    retryLeft: state.machine.lastSpent(ranOut, state) ? 'none' : 'some',
  });
  const found = [...rules, retry];
  const outcome = retry.outcomes[0] ?? {};
  state.machine.steps.timedOut(event, state);
  switch (outcomeWord(outcome, 'action') ?? 'ignore') {
    case 'retransmit':
      state.machine.apply(outcome, event, state);
      return { retransmitCause: 'this-or-later', rules: found, denied: late };
    case 'migrate':
      migrateExhausted(requester, state, {
        rule: retry,
        outcome,
        event: oldest(requester, state)?.event ?? 0,
      });
      return { retransmitCause: 'this-or-later', rules: found, denied: late };
    default:
      return { retransmitCause: 'none', rules: found, denied: retry };
  }
}
