import { requestErrors } from '../../event-word.ts';
import type { AsyncEvent, EventType, Wc } from '../../../spec/verbs.ts';
import type { Rule, RuleSet } from '../../rules.ts';
import type { Qp } from '../../device/qp.ts';
import { createReceiveCompletions } from './completions.ts';
import { createEstablished } from './established.ts';
import { lookupOf } from '../../rulebook/lookup.ts';
import { MachineTable } from '../../rulebook/machine-table.ts';
import { responderMachine } from '../machine.ts';
import type { Compared, Unmet } from '../responses/demands.ts';
import type { FaultReport } from '../pending.ts';
import type { ResponderState } from '../state.ts';
import { receiveText } from '../unbound.ts';
import { outcomeWords } from '../../rulebook/outcome.ts';

/** Receive completions and affiliated events against what is due. */
export interface Reports {
  /** `undefined` for completions that are none of the receive queue */
  completion(connection: Qp, state: ResponderState, wc: Wc, event: number): Compared | undefined;
  event(state: ResponderState, event: AsyncEvent): Compared | undefined;
  /** What is due to software and has not come. */
  overdue(state: ResponderState): (Unmet & { event: number })[];
  /** Rules that hold whenever the device settles without a report that nothing calls for. */
  restraint(state: ResponderState): readonly Rule[];
  /** Rules that a packet in RTR has brought about. */
  announced(state: ResponderState): readonly Rule[];
}

const errorEvents: ReadonlySet<EventType> = new Set([...requestErrors, 'IBV_EVENT_QP_FATAL']);

const silent: Compared = { exercised: [], unmet: [] };

export function createReports(rules: RuleSet): Reports {
  const machine = responderMachine(rules);
  const completions = createReceiveCompletions(rules);
  const eventTable = new MachineTable(rules, machine, 'rc-responder-event');
  const nameRules = lookupOf(rules, 'rc-responder-event-name');
  const established = createEstablished(rules);
  const holds = machine.holds('mustCome');
  const unreported = machine.flag('faultUnreported');

  function completion(connection: Qp, state: ResponderState, wc: Wc, event: number): Compared | undefined {
    const { report } = state;
    const before = state.completions;
    const compared = completions.seen(connection, state, wc, event);
    const [due] = before.filter((c) => !state.completions.includes(c));
    if (due?.kind === 'fault' && report !== undefined && wc.status !== 'IBV_WC_WR_FLUSH_ERR')
      reported(state, report, 'completion');
    return compared;
  }

  /** Notes how a fault was reported to software. */
  function reported(state: ResponderState, { rule }: FaultReport, what: 'completion' | 'event'): void {
    const { faultBy, sawCompletion, sawEvent } = state;
    machine.step(what === 'event' ? 'faultRaised' : 'faultCompleted')({}, state);
    if (faultBy === 'either' && !sawCompletion && !sawEvent)
      state.choices = { rule, what, previous: state.choices };
  }

  function event(state: ResponderState, seen: AsyncEvent): Compared | undefined {
    const compared = comparison(state, seen);
    return compared !== undefined && compared.unmet.length > 0 && state.leftEvent ? silent : compared;
  }

  function comparison(state: ResponderState, seen: AsyncEvent): Compared | undefined {
    if (seen.event_type === 'IBV_EVENT_COMM_EST') return established.event(state);
    if (!errorEvents.has(seen.event_type)) return undefined;
    const { report, faultBy } = state;
    // nobody says what makes a QP fail for good by itself
    if (seen.event_type === 'IBV_EVENT_QP_FATAL' && faultBy === 'none') return undefined;
    const found = eventTable.at({}, state);
    const forbidding = found.find((rule) => holds(rule.outcomes[0] ?? {}, { came: true }, state) === false);
    const due = forbidding === undefined ? report : undefined;
    if (due !== undefined) reported(state, due, 'event');
    const exercised = due === undefined ? [] : found;
    if (forbidding !== undefined) {
      const words = { expected: 'no affiliated error event', observed: seen.event_type };
      return { exercised, unmet: [{ rule: forbidding, ...words }] };
    }
    if (due === undefined) return silent;
    const named = due.events.length > 1 ? nameRules({ fault: due.fault }) : [];
    const unmet = [due.rule, ...named].flatMap((demand) => {
      const events = demand === due.rule ? due.events : outcomeWords(demand.outcomes[0] ?? {}, 'event');
      if (events.some((type) => type === seen.event_type)) return [];
      return [{ rule: demand, expected: events.join(' or '), observed: seen.event_type }];
    });
    return { exercised: [...found, ...named], unmet };
  }

  function overdue(state: ResponderState): (Unmet & { event: number })[] {
    const missing = state.completions.filter((due) => completions.misses(state, due));
    const found: (Unmet & { event: number })[] = missing.map((due) => ({
      rule: due.rule,
      expected: `completion of ${receiveText(due.wr)} with ${due.statuses.join(' or ')}`,
      observed: 'none',
      event: due.event,
    }));
    found.push(...established.overdue(state));
    const { report, faultBy, sawEvent } = state;
    if (report === undefined || !unreported({}, state)) return found;
    // what else is missing may be the report of it to software
    if (faultBy === 'either' && found.length > 0) return found;
    const events = report.events.join(' or ');
    const expected = faultBy === 'event' ? events : `either a completion in error or ${events}`;
    const observed = faultBy === 'event' ? 'no event' : sawEvent ? 'both' : 'neither';
    found.push({ rule: report.rule, expected, observed, event: report.event });
    return found;
  }

  // what may come, and from which state on, does not matter to them
  let always: readonly Rule[] | undefined;
  const restraint = (state: ResponderState): readonly Rule[] => [
    ...(always ??= [...completions.undue(state), ...eventTable.by({ faultBy: 'none', faultEvent: 'none' })]),
    ...established.restraint(state),
  ];
  return { completion, event, overdue, restraint, announced: established.announced };
}
