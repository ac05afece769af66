import type { Rule, RuleSet } from '../../rules.ts';
import { lookupOf } from '../../rulebook/lookup.ts';
import { responderMachine } from '../machine.ts';
import type { Compared, Unmet } from '../responses/demands.ts';
import type { ResponderState } from '../state.ts';
import { outcomeWord, ruleThatSays } from '../../rulebook/outcome.ts';

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
  const lookup = lookupOf(rules, 'rc-responder-established');
  const raised = responderMachine(rules).step('establishedRaised');
  const demand = (rule: Rule): string | undefined => outcomeWord(rule.outcomes[0] ?? {}, 'mustCome');

  function event(state: ResponderState): Compared | undefined {
    if (state.established === 'seen' || state.established === 'none') {
      if (state.qpState !== 'RTR') return undefined;
      return undue(lookup({ established: state.established === 'seen' ? 'again' : 'early' }));
    }
    const due = state.established === 'due' ? lookup({ established: 'due' }) : [];
    raised({}, state);
    return { exercised: [], unmet: undue(due).unmet };
  }

  function undue(exercised: readonly Rule[]): Compared {
    const forbidding = exercised.filter((rule) => demand(rule) === 'never');
    const words = { expected: 'no IBV_EVENT_COMM_EST', observed: 'IBV_EVENT_COMM_EST' };
    return { exercised, unmet: forbidding.map((rule) => ({ rule, ...words })) };
  }

  function overdue(state: ResponderState): (Unmet & { event: number })[] {
    const rule = ruleThatSays(lookup({ established: 'due' }), 'mustCome');
    if (state.established !== 'due' || demand(rule) === 'never') return [];
    return [{ rule, expected: 'IBV_EVENT_COMM_EST', observed: 'no event', event: state.establishedBy }];
  }

  function restraint(state: ResponderState): readonly Rule[] {
    return state.qpState === 'RTR' && state.established === 'seen' ? lookup({ established: 'again' }) : [];
  }

  const announced = (state: ResponderState): readonly Rule[] =>
    state.established === 'due' ? lookup({ established: 'due' }) : [];

  return { event, overdue, restraint, announced };
}
