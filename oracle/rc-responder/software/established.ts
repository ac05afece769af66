import type { Rule, RuleSet } from '../../rules.ts';
import { MachineTable } from '../../rulebook/machine-table.ts';
import { responderMachine } from '../machine.ts';
import type { Compared, Unmet } from '../responses/demands.ts';
import type { ResponderState } from '../state.ts';

/** IBV_EVENT_COMM_EST against what the packets in RTR call for. */
export interface Established {
  /** `undefined` in other states than RTR, where nothing is said of the event */
  event(state: ResponderState): Compared | undefined;
  overdue(state: ResponderState): (Unmet & { event: number })[];
  /** Rules that a packet in RTR has brought about. */
  announced: (state: ResponderState) => readonly Rule[];
  /** Rules that hold where a second event could come and does not. */
  restraint(state: ResponderState): readonly Rule[];
}

export function createEstablished(rules: RuleSet): Established {
  const machine = responderMachine(rules);
  const table = new MachineTable(rules, machine, 'rc-responder-established');
  const raised = machine.step('establishedRaised');
  const holds = machine.holds('mustCome');
  const open = machine.flag('eventOpen');
  const unjudged = machine.flag('eventUnjudged');
  const due = machine.flag('eventDue');
  const refrained = machine.flag('eventRefrained');
  const broken = (found: readonly Rule[], state: ResponderState, came: boolean): Rule[] =>
    found.filter((rule) => holds(rule.outcomes[0] ?? {}, { came }, state) === false);

  function event(state: ResponderState): Compared | undefined {
    const mayCome = open({}, state);
    const silent = unjudged({}, state);
    if (silent && !mayCome) return undefined;
    const found = silent ? [] : table.at({}, state);
    const words = { expected: 'no IBV_EVENT_COMM_EST', observed: 'IBV_EVENT_COMM_EST' };
    const unmet = broken(found, state, true).map((rule) => ({ rule, ...words }));
    if (mayCome) raised({}, state);
    return { exercised: mayCome ? [] : found, unmet };
  }

  function overdue(state: ResponderState): (Unmet & { event: number })[] {
    const missed = due({}, state) ? broken(table.at({}, state), state, false) : [];
    const words = { expected: 'IBV_EVENT_COMM_EST', observed: 'no event', event: state.establishedBy };
    return missed.map((rule) => ({ rule, ...words }));
  }

  return {
    event,
    overdue,
    restraint: (state) => (refrained({}, state) ? table.at({}, state) : []),
    announced: (state) => (due({}, state) ? table.at({}, state) : []),
  };
}
