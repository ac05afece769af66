import type { Rule } from '../../rules.ts';
import { openWork } from '../responses/memory.ts';
import { RequesterEvent } from '../inputs.ts';
import type { Requester } from '../requester.ts';
import { expiryOf, oldest } from '../requester.ts';
import { retryRule } from './retry.ts';
import type { RequesterFailure, RequesterState } from '../state.ts';
import { onlyRule } from '../tables.ts';
import type { RequesterTables } from '../tables.ts';
import { outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';

/** The QP fails with the oldest work request; nothing if it has none. */
export function failOldest(requester: Requester, state: RequesterState, failure: RequesterFailure): void {
  const item = oldest(requester, state);
  if (item === undefined) return;
  openWork(requester, state, item);
  state.machine.steps.failed({}, state);
  state.failure = failure;
  state.causes = [];
}

/** The end by the ACK timer. */
export interface Exhaustion {
  rules: readonly Rule[];
  /** it must have come by now */
  sure: boolean;
  apply: (state: RequesterState) => void;
}

/** Whether the ACK timer may have used up the last retry by time `t`; nothing on the wire tells. */
export function exhaustionBy(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  t: number,
): Exhaustion | undefined {
  const item = oldest(requester, state);
  if (item === undefined) return undefined;
  let timer: Rule | undefined;
  const timerRule = (): Rule => (timer ??= onlyRule(tables.timer.at(event, state)));
  const event = new RequesterEvent(requester, state, t, {
    cause: 'timeout',
    back: { expiry: () => expiryOf(timerRule()) },
  });
  if (!state.machine.mayBeSpent(event, state)) return undefined;
  const retry = retryRule(tables, event, state, { retryLeft: 'none' });
  const outcome = retry.outcomes[0] ?? {};
  if (outcomeWord(outcome, 'action') !== 'fail') return undefined;
  const statuses = outcomeWords(outcome, 'failure');
  return {
    rules: [timerRule(), retry],
    sure: state.machine.surelySpent(event, state),
    apply: (after) => failOldest(requester, after, { statuses, rule: retry, event: item.event }),
  };
}
