import { psnDiff } from '../../wire/psn.ts';
import type { Rule } from '../rules.ts';
import type { Finding, Requester, RequesterTables } from './requester.ts';
import { expiryOf, nameOf, rnrFacts, ruleOf, runningTime, timerFacts } from './requester.ts';
import { pathNewsOwed } from './migration.ts';
import type { RequesterState } from './state.ts';
import { outcomeWord } from '../rulebook/outcome.ts';

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
  for (const licence of state.licences) {
    const { rule, event, psn } = licence;
    const expected = `packets from PSN ${psn} on sent again`;
    if (licence.cause !== 'rnr-nak') {
      if (!heldBack(state, psn) && !requester.stalls.holdsAt(t))
        owed.push({ rule, event, expected, observed: 'nothing sent again' });
      continue;
    }
    const timer = ruleOf(tables.rnrTimer, rnrFacts(requester, licence, t));
    exercised?.([timer]);
    if (expiryOf(timer) === 'owed')
      owed.push({
        rule: timer,
        event,
        expected,
        observed: `nothing ${t - licence.since} ns after the RNR NAK`,
      });
  }
  const item = requester.work.at(state.head);
  if (state.qpState === 'RTS' || state.qpState === 'SQD') {
    const facts = timerFacts(requester, state, t);
    const timer = ruleOf(tables.timer, facts);
    exercised?.([timer]);
    if (expiryOf(timer) === 'owed')
      owed.push({
        rule: timer,
        event: item?.event ?? 0,
        expected: `PSN ${state.una} sent again, or its work request failed`,
        observed: `nothing ${t - state.timer.latest} ns after the timer began`,
      });
  }
  owed.push(
    ...pathNewsOwed(tables, state, exercised),
    ...completionsOwed(requester, tables, state),
    ...rest(requester, tables, state, t, exercised),
  );
  return owed;
}

/** Whether an RNR NAK that came on top of it makes the device wait before it sends the packet again. */
function heldBack({ licences }: RequesterState, psn: number): boolean {
  return licences.some((l) => l.cause === 'rnr-nak' && psnDiff(l.psn, psn) <= 0);
}

function completionsOwed(requester: Requester, tables: RequesterTables, state: RequesterState): Owed[] {
  const owed: Owed[] = [];
  for (const item of requester.work.between(state.reported, state.tail)) {
    const done = item.index < state.head;
    if (done && !item.signaled) continue;
    if (!done && state.qpState !== 'ERR') break;
    const workState = done ? 'acknowledged' : state.failure?.item === item.index ? 'failed' : 'flushed';
    const rule = tables
      .completion({ workState })
      .find((r) => outcomeWord(r.outcomes[0] ?? {}, 'mustCome') === 'once');
    if (rule === undefined) continue;
    const status = done
      ? 'IBV_WC_SUCCESS'
      : workState === 'failed'
        ? (state.failure?.statuses.join(' or ') ?? 'an error')
        : 'IBV_WC_WR_FLUSH_ERR';
    // what failed for a reason of its own is missed under that rule
    const cause = workState === 'failed' ? (state.failure?.rule ?? rule) : rule;
    const event = workState === 'failed' ? (state.failure?.event ?? item.event) : item.event;
    owed.push({ rule: cause, event, expected: `${status} for ${nameOf(item)}`, observed: 'no completion' });
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
  const standing = standingOf(requester, state, t);
  const rule = ruleOf(tables.standing, { standing });
  exercised?.([rule]);
  if (expiryOf(rule) !== 'owed') return [];
  const item = requester.work.at(state.head);
  const from = standing === 'unsent' ? state.end : state.cursor;
  return [{ rule, event: item?.event ?? 0, expected: `PSN ${from} sent`, observed: 'nothing more was sent' }];
}

function standingOf(requester: Requester, state: RequesterState, t: number): 'unsent' | 'half-way' | 'done' {
  const waits =
    requester.stalls.holdsAt(t) ||
    runningTime(requester, 0, t) <= state.heldUntil ||
    state.licences.some((l) => l.cause === 'rnr-nak');
  if (waits || (state.qpState !== 'RTS' && state.qpState !== 'SQD')) return 'done';
  const { una, end, cursor, head, tail } = state;
  // it may wait for the answer to a part of what it sends again
  if (cursor !== end && una !== end) return psnDiff(cursor, una) > 0 ? 'done' : 'half-way';
  if (una !== end || head >= tail || state.qpState !== 'RTS') return 'done';
  const item = requester.work.at(head);
  const reads = item?.kind === 'read' || item?.kind === 'atomic';
  return reads && requester.attributes.maxRdAtomic === 0 ? 'done' : 'unsent';
}
