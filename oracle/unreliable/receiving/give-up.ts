import { outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';
import type { Outcome, Rule } from '../../rules.ts';
import type { Arrival } from './arrival.ts';
import type { Due } from './state.ts';
import type { UnreliableInputs } from '../variables.ts';
import { leaveUnbound } from '../words/memory.ts';

/** The message in progress is given up since packets are missing; gives the rule for its receive WQE, if it held one. */
export function giveUp(arrival: Arrival, rule: Rule): Rule[] {
  const { book, state } = arrival;
  if (state.message === 'none') return [];
  leave(arrival, rule);
  if (state.wqe < 0) return [];
  const abandon = book.peek('uc-responder-abandon', { inputs: arrival, variables: state }).rule;
  report(arrival, abandon, abandon.outcomes[0] ?? {}, undefined);
  return [abandon];
}

/** Of the message that the packet belongs to more packets may come, though it is given up. */
export function leave({ state }: Arrival, rule: Rule): void {
  const { reth, received } = state;
  const write = state.message === 'none' ? undefined : { reth, received };
  state.rest = { write, rule };
}

/** What software is to see of a message that was given up, and what becomes of the receive WQE. */
export function report(
  arrival: Arrival,
  rule: Rule,
  outcome: Outcome,
  fault: UnreliableInputs['fault'],
): void {
  const { qp, state, event } = arrival;
  const { machine } = state;
  for (const key of ['notice', 'qp'])
    if (outcome[key] === undefined) throw new RangeError(`rule ${rule.id} does not say "${key}"`);
  if (outcomeWord(outcome, 'notice') === 'completion') {
    const wqe = machine.number('reportedWqe')(arrival, state);
    const end = fault === undefined ? 'aborted' : 'fault';
    const statuses = outcomeWords(outcome, 'receiveStatus');
    state.due = [...state.due, { ...plainDue(end, wqe, rule, event), statuses }];
  } else if (state.wqe >= 0) {
    state.reuses = rule;
    leaveUnbound(qp, state, event);
  }
  state.placed = [];
  machine.effect('notice')(outcome, { fault }, state);
  machine.effect('qp')(outcome, {}, state);
  if (outcomeWord(outcome, 'qp') === 'error') state.failedBy = rule;
}

/** A receive completion without anything of a message. */
export function plainDue(end: Due['end'], wqe: number, violatedRule: Rule | undefined, event: number): Due {
  return {
    end,
    wqe,
    placed: [],
    statuses: ['IBV_WC_SUCCESS'],
    length: 0,
    immediate: undefined,
    kind: 'receive',
    source: undefined,
    violatedRule,
    reused: undefined,
    event,
  };
}
