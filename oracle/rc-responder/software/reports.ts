import type { AsyncEvent, EventType, RecvWr, Wc } from '../../../spec/verbs.ts';
import type { Rule, RuleSet } from '../../rules.ts';
import { totalLength } from '../../device/memory.ts';
import type { Qp } from '../../device/qp.ts';
import { createEstablished } from './established.ts';
import { lookupOf } from '../../rulebook/lookup.ts';
import type { Compared, Unmet } from '../responses/demands.ts';
import type { FaultReport, PendingCompletion } from '../pending.ts';
import type { ResponderState } from '../state.ts';
import { Unbound, wqeText } from '../unbound.ts';
import { bind } from '../words/memory.ts';
import { outcomeWord, outcomeWords, ruleThatSays } from '../../rulebook/outcome.ts';

/** Receive completions and affiliated events against what is due. */
export interface Reports {
  /** `undefined` for completions that are none of the receive queue */
  completion(connection: Qp, state: ResponderState, wc: Wc, event: number): Compared | undefined;
  event(state: ResponderState, event: AsyncEvent): Compared | undefined;
  /** What is owed to software and has not come. */
  overdue(state: ResponderState): (Unmet & { event: number })[];
  /** Rules that hold whenever the device settles without a report that nothing calls for. */
  restraint(state: ResponderState): readonly Rule[];
  /** Rules that a packet in RTR has brought about. */
  announced(state: ResponderState): readonly Rule[];
}

const errorEvents: ReadonlySet<EventType> = new Set([
  'IBV_EVENT_QP_REQ_ERR',
  'IBV_EVENT_QP_ACCESS_ERR',
  'IBV_EVENT_QP_FATAL',
]);

const silent: Compared = { exercised: [], unmet: [] };

export function createReports(rules: RuleSet): Reports {
  const completionRules = lookupOf(rules, 'rc-responder-completion');
  const eventRules = lookupOf(rules, 'rc-responder-event');
  const nameRules = lookupOf(rules, 'rc-responder-event-name');
  const established = createEstablished(rules);

  function stray(connection: Qp, wc: Wc): Compared {
    const found = completionRules({ completionKind: 'undue' });
    const rule = ruleThatSays(found, 'mustCome');
    const allowed = outcomeWord(rule.outcomes[0] ?? {}, 'mustCome') !== 'never';
    const known = connection.posted.has(wc.wr_id);
    const unmet = { rule, expected: 'no receive completion', observed: describeWc(wc) };
    return { exercised: [], unmet: allowed || !known ? [] : [unmet] };
  }

  function completion(connection: Qp, state: ResponderState, wc: Wc, event: number): Compared | undefined {
    if (!connection.posted.has(wc.wr_id)) return undefined;
    const open = connection.contested?.posted.openAt(wc.wr_id, event);
    const isOf = (c: PendingCompletion): boolean =>
      c.wr instanceof Unbound ? mayBe(c, open) : c.wr.wr_id === wc.wr_id;
    const at = state.completions.findIndex(isOf);
    const due = state.completions[at];
    if (due === undefined) {
      const left = state.left.find((c) => isOf(c) && c.statuses.includes(wc.status));
      if (left === undefined) return stray(connection, wc);
      state.left = state.left.filter((c) => c !== left);
      return silent;
    }
    const exercised = due.kind === 'fault' ? [] : completionRules({ completionKind: due.kind });
    const unmet: Unmet[] = [];
    const demand = (key: string): Rule | undefined =>
      exercised.find((r) => outcomeWord(r.outcomes[0] ?? {}, key) !== undefined);
    if (!due.statuses.includes(wc.status))
      unmet.push({ rule: due.rule, expected: due.statuses.join(' or '), observed: describeWc(wc) });
    const uncalled = due.kind === 'fault' ? undefined : forbids(exercised);
    if (uncalled) unmet.push({ rule: uncalled, expected: 'no receive completion', observed: describeWc(wc) });
    const order = demand('mustOrder');
    const first = state.completions[0];
    if (order && at > 0 && first)
      unmet.push({
        rule: order,
        expected: `completion of ${wqeText(first.wr)} first`,
        observed: `wr_id ${wc.wr_id}`,
      });
    if (due.kind === 'message' && wc.status === 'IBV_WC_SUCCESS') {
      const length = demand('mustLength');
      if (length && wc.byte_len !== due.byteLen)
        unmet.push({
          rule: length,
          expected: `byte_len ${due.byteLen}`,
          observed: `byte_len ${wc.byte_len}`,
        });
      const immediate = demand('mustImmediate');
      if (
        immediate &&
        (wc.imm_data !== due.immediate || (wc.opcode !== undefined && wc.opcode !== due.opcode))
      )
        unmet.push({
          rule: immediate,
          expected: `${due.opcode}${immediateText(due.immediate)}`,
          observed: `${wc.opcode}${immediateText(wc.imm_data)}`,
        });
    }
    state.completions = state.completions.filter((c) => c !== due);
    if (due.wr instanceof Unbound && open !== undefined)
      bind(connection, state, due.wr, open, due.kind === 'message');
    if (due.kind === 'fault' && state.report && wc.status !== 'IBV_WC_WR_FLUSH_ERR')
      reported(state, state.report, { sawCompletion: true }, 'completion');
    return { exercised, unmet };
  }

  function event(state: ResponderState, seen: AsyncEvent): Compared | undefined {
    const compared = told(state, seen);
    return compared !== undefined && compared.unmet.length > 0 && state.leftEvent ? silent : compared;
  }

  function told(state: ResponderState, seen: AsyncEvent): Compared | undefined {
    if (seen.event_type === 'IBV_EVENT_COMM_EST') return established.event(state);
    if (!errorEvents.has(seen.event_type)) return undefined;
    const report = state.report;
    const owed = report !== undefined && report.mode !== 'completion' && !report.sawEvent;
    const found = eventRules({ eventKind: owed ? 'due' : 'undue' });
    const rule = ruleThatSays(found, 'mustCome');
    if (!owed) {
      const allowed = outcomeWord(rule.outcomes[0] ?? {}, 'mustCome') !== 'never';
      const unmet = { rule, expected: 'no affiliated error event', observed: seen.event_type };
      return { exercised: [], unmet: allowed ? [] : [unmet] };
    }
    reported(state, report, { sawEvent: true }, 'event');
    if (outcomeWord(rule.outcomes[0] ?? {}, 'mustCome') === 'never') {
      const unmet = { rule, expected: 'no affiliated error event', observed: seen.event_type };
      return { exercised: found, unmet: [unmet] };
    }
    const named = report.events.length > 1 ? nameRules({ fault: report.fault }) : [];
    const unmet = [report.rule, ...named].flatMap((demand) => {
      const events = demand === report.rule ? report.events : outcomeWords(demand.outcomes[0] ?? {}, 'event');
      if (events.some((type) => type === seen.event_type)) return [];
      return [{ rule: demand, expected: events.join(' or '), observed: seen.event_type }];
    });
    return { exercised: [...found, ...named], unmet };
  }

  function overdue(state: ResponderState): (Unmet & { event: number })[] {
    const found: (Unmet & { event: number })[] = [];
    for (const due of state.completions)
      if (!due.optional && (due.kind === 'fault' || !forbids(completionRules({ completionKind: due.kind }))))
        found.push({
          rule: due.rule,
          expected: `completion of receive ${wqeText(due.wr)} with ${due.statuses.join(' or ')}`,
          observed: 'none',
          event: due.event,
        });
    found.push(...established.overdue(state));
    const report = state.report;
    if (report === undefined) return found;
    const { rule, mode, events, event, sawCompletion, sawEvent } = report;
    const want =
      mode === 'event' ? events.join(' or ') : `either a completion in error or ${events.join(' or ')}`;
    if (mode === 'event' && !sawEvent) found.push({ rule, expected: want, observed: 'no event', event });
    if (mode === 'either' && sawCompletion === sawEvent && found.length === 0)
      found.push({ rule, expected: want, observed: sawEvent ? 'both' : 'neither', event });
    return found;
  }

  const always = [...completionRules({ completionKind: 'undue' }), ...eventRules({ eventKind: 'undue' })];
  const restraint = (state: ResponderState): readonly Rule[] => [...always, ...established.restraint(state)];
  return { completion, event, overdue, restraint, announced: established.announced };
}

/** Whether a completion that is due, of one of the WQEs of an SRQ, may be that of the given one. */
function mayBe({ kind, byteLen, opcode }: PendingCompletion, wr: RecvWr | undefined): boolean {
  if (wr === undefined) return false;
  return kind !== 'message' || opcode !== 'IBV_WC_RECV' || totalLength(wr.sg_list) >= byteLen;
}

/** Notes how software was told of a fault. */
function reported(state: ResponderState, report: FaultReport, how: Partial<FaultReport>, what: string): void {
  state.report = { ...report, ...how };
  const first = !report.sawCompletion && !report.sawEvent;
  if (first && report.mode === 'either') state.choices = { rule: report.rule, what, previous: state.choices };
}

/** The rule that says that such a completion must not come, if one does. */
function forbids(found: readonly Rule[]): Rule | undefined {
  return found.find((rule) => outcomeWord(rule.outcomes[0] ?? {}, 'mustCome') === 'never');
}

function describeWc(wc: Wc): string {
  return `completion of wr_id ${wc.wr_id} with ${wc.status}`;
}

function immediateText(value: number | undefined): string {
  return value === undefined ? ' without immediate data' : ` with immediate data 0x${value.toString(16)}`;
}
