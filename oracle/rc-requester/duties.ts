import { psnAdd } from '../../wire/psn.ts';
import type { Rule } from '../rules.ts';
import { RequesterEvent } from './inputs.ts';
import type { Finding, Requester } from './requester.ts';
import { expiryOf, nameOf } from './requester.ts';
import { pathNewsOwed } from './migration.ts';
import type { RequesterState } from './state.ts';
import { onlyRule } from './tables.ts';
import type { RequesterTables } from './tables.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import { inUnits } from '../time.ts';
import { statusesOf } from './completions.ts';

/** Something that has not come; `event` is the index in the trace of what called for it. */
export type Owed = Finding & { event: number; news?: boolean };

/** What a conformant device would have done by time `t`, at which everything that waits for no timer has had its time. */
export function owedAt(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  t: number,
  exercised?: (rules: readonly Rule[]) => void,
): Owed[] {
  const owed: Owed[] = [];
  for (const pending of state.causes) {
    const { rule, event, psn, latest } = pending;
    const expected = `packets from PSN ${psn} on sent again`;
    const seen = new RequesterEvent(requester, state, t, { cause: pending.cause, nak: latest, from: psn });
    if (state.machine.resendDue(seen, state))
      owed.push({ rule, event, expected, observed: 'nothing sent again' });
    if (pending.cause !== 'rnr-nak') continue;
    const timer = onlyRule(tables.rnrTimer.at(seen, state));
    exercised?.([timer]);
    if (expiryOf(timer) === 'owed')
      owed.push({
        rule: timer,
        event,
        expected,
        observed: `nothing ${inUnits(t - latest.since)} after the RNR NAK`,
      });
  }
  const timer = overdueTimer(requester, tables, state, t, exercised);
  owed.push(
    ...(timer === undefined ? [] : [timer]),
    ...pathNewsOwed(tables, state, exercised),
    ...completionsOwed(requester, tables, state, t),
    ...rest(requester, tables, state, t, exercised),
    ...unasked(requester, tables, state, t),
  );
  return owed;
}

/** What the ACK timer should have led to by time `t`. */
export function overdueTimer(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  t: number,
  exercised?: (rules: readonly Rule[]) => void,
): Owed | undefined {
  const event = new RequesterEvent(requester, state, t);
  if (!state.machine.works(event, state)) return undefined;
  const rule = onlyRule(tables.timer.at(event, state));
  exercised?.([rule]);
  if (expiryOf(rule) !== 'owed') return undefined;
  return {
    rule,
    event: requester.work.at(state.head)?.event ?? 0,
    expected: `PSN ${state.una} sent again, or its work request failed`,
    observed: `nothing ${inUnits(t - state.ackLatest)} after the timer began`,
  };
}

function completionsOwed(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  t: number,
): Owed[] {
  const owed: Owed[] = [];
  const { machine } = state;
  for (const item of requester.work.between(state.reported, state.tail)) {
    const seen = new RequesterEvent(requester, state, t, { work: item });
    const rules = tables.completion.at(seen, state);
    const rule = rules.find((r) => machine.holds('mustCome')(r.outcomes[0] ?? {}, seen, state) === false);
    if (rule === undefined) {
      // nothing behind it is due either
      if (machine.workState(seen, state) === 'unacknowledged') break;
      continue;
    }
    const status = ruleWord(rule, 'mustStatus');
    // what failed for a reason of its own is missed under that rule
    const failure = status === 'failure' ? state.failure : undefined;
    owed.push({
      rule: failure?.rule ?? rule,
      event: failure?.event ?? item.event,
      expected: `${statusesOf(status, state).join(' or ') || 'an error'} for ${nameOf(item)}`,
      observed: 'no completion',
    });
  }
  return owed;
}

function rest(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  t: number,
  exercised: ((rules: readonly Rule[]) => void) | undefined,
): Owed[] {
  const seen = new RequesterEvent(requester, state, t);
  const rule = onlyRule(tables.standing.at(seen, state));
  exercised?.([rule]);
  if (expiryOf(rule) !== 'owed') return [];
  const item = requester.work.at(state.head);
  const from = state.machine.unsent(seen, state) === 'work' ? state.end : state.cursor;
  return [
    {
      rule,
      event: item?.event ?? 0,
      expected: `PSN ${from} sent, or the failure of its work request`,
      observed: 'nothing more was sent',
    },
  ];
}

/** What is unanswered while nothing of it calls for a response. */
function unasked(requester: Requester, tables: RequesterTables, state: RequesterState, t: number): Owed[] {
  const rule = onlyRule(tables.asking.at(new RequesterEvent(requester, state, t), state));
  if (expiryOf(rule) !== 'owed') return [];
  return [
    {
      rule,
      event: requester.work.at(state.head)?.event ?? 0,
      expected: `AckReq in the last packet that was sent, PSN ${psnAdd(state.end, -1)}`,
      observed: `nothing from PSN ${state.una} on calls for a response`,
    },
  ];
}
