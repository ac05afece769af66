import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import { RequesterEvent } from '../inputs.ts';
import { migrateExhausted } from '../migration.ts';
import type { Requester } from '../requester.ts';
import { expiryOf, oldest } from '../requester.ts';
import { mayBeLeft, retryRule } from './retry.ts';
import type { RequesterState } from '../state.ts';
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
  const { requester, tables, state, packet, event, t } = back;
  const { machine } = state;
  const reaching = state.causes.filter(({ psn }) => psnDiff(psn, packet.psn) >= 0);
  const rules: Rule[] = [];
  let denied: Rule | undefined;
  for (const pending of reaching) {
    if (pending.cause === 'rnr-nak') {
      const wait = new RequesterEvent(requester, state, t, { nak: pending });
      const rule = onlyRule(tables.rnrTimer.at(wait, state));
      rules.push(rule);
      if (expiryOf(rule) === 'forbidden') {
        denied = rule;
        continue;
      }
      rules.push(...waitKept(tables));
    } else if (waitsAt(back, pending.psn)) continue;
    return { retransmitCause: 'this-or-later', rules, denied: undefined };
  }
  const timer = onlyRule(tables.timer.at(event, state));
  const expiry = expiryOf(timer);
  const reachesOldest = machine.reachesOldest(event, state);
  if (machine.mayGoBack(event, state) && !waitsAt(back, packet.psn)) {
    // if the timer may have run out as well, it may have cost a retry
    if (expiry !== 'forbidden' && mayBeLeft('retryLeft', event, state).includes('some'))
      machine.applyAny([{ spends: 'none' }, { spends: 'retry_cnt' }], event, state);
    return { retransmitCause: 'this-or-later', rules, denied: undefined };
  }
  if (expiry !== 'forbidden' && reachesOldest) return timeout(back, [...rules, timer], timer);
  if (denied !== undefined) return { retransmitCause: 'none', rules, denied };
  if (state.causes.length > 0 || expiry !== 'forbidden')
    return { retransmitCause: 'earlier', rules, denied: undefined };
  // what starts at the oldest packet for no reason looks like the work of the timer
  return { retransmitCause: 'none', rules, denied: reachesOldest ? timer : undefined };
}

/** Whether the device waits for the receiver of this PSN, or of one before it: then no other NAK lets it send again. */
function waitsAt({ requester, tables, state, t }: GoingBack, psn: number): boolean {
  return state.causes.some(
    (other) =>
      other.cause === 'rnr-nak' &&
      psnDiff(other.psn, psn) <= 0 &&
      expiryOf(
        onlyRule(tables.rnrTimer.at(new RequesterEvent(requester, state, t, { nak: other }), state)),
      ) === 'forbidden',
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
  const ranOut = new RequesterEvent(requester, state, t, { cause: 'timeout' });
  const retry = retryRule(tables, ranOut, state, {
    retryLeft: lastRetrySpent(state, packet, ranOut) ? 'none' : 'some',
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

/** Where the counter may be 0 or not, an armed QP shows which by what it sends. */
function lastRetrySpent(state: RequesterState, packet: Packet, event: RequesterEvent): boolean {
  const left = mayBeLeft('retryLeft', event, state);
  if (!left.includes('some')) return true;
  const { migration } = state;
  return left.includes('none') && migration.machine.flag('leavesByAlternate')({ packet }, migration);
}
