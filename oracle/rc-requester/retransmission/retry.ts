import type { Rule } from '../../rules.ts';
import type { RequesterEvent } from '../inputs.ts';
import type { RequesterState } from '../state.ts';
import { onlyRule } from '../tables.ts';
import type { RequesterTables } from '../tables.ts';

/** A counter, by the fact that says what is left of it. */
export type Counter = 'retryLeft' | 'rnrLeft';

/** What may be left of a counter, as the fact has it. */
export function mayBeLeft(counter: Counter, event: RequesterEvent, state: RequesterState): readonly string[] {
  return state.machine.left[counter].possible(event, state);
}

/** What is left of it at worst. */
export function leastLeft(counter: Counter, event: RequesterEvent, state: RequesterState): string {
  const all = mayBeLeft(counter, event, state);
  return all.includes('none') ? 'none' : (all[0] ?? 'none');
}

/** What the cause of retransmission of the event leads to. Errors: see onlyRule. */
export function retryRule(
  { retry }: RequesterTables,
  event: RequesterEvent,
  state: RequesterState,
  given: { retryLeft?: string; rnrLeft?: string; retransmission?: string },
): Rule {
  const facts = { retryLeft: 'some', rnrLeft: 'some', retransmission: 'none', ...given };
  return onlyRule(retry.at(event, state, facts));
}
