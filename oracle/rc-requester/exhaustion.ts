import type { Rule } from '../rules.ts';
import { spoilWork } from './memory.ts';
import type { Requester, RequesterTables } from './requester.ts';
import { expiryOf, oldest, retryRule, ruleOf, timerFacts } from './requester.ts';
import type { RequesterState } from './state.ts';
import { outcomeWord, outcomeWords } from '../rulebook/outcome.ts';
import type { WorkItem } from '../device/send-queue.ts';

/** The QP fails with this work request. */
export function failWith(
  requester: Requester,
  state: RequesterState,
  item: WorkItem,
  failure: { statuses: readonly string[]; rule: Rule | undefined; event: number },
): void {
  spoilWork(requester, state, item);
  state.failure = { item: item.index, ...failure };
  state.qpState = 'ERR';
  state.licences = [];
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
  if (item === undefined || (state.retries & 1) === 0 || state.qpState === 'ERR') return undefined;
  const timer = ruleOf(tables.timer, timerFacts(requester, state, t));
  const expiry = expiryOf(timer);
  if (expiry === 'forbidden') return undefined;
  const retry = retryRule(tables, state, { cause: 'timeout', retryLeft: 'none' });
  const outcome = retry.outcomes[0] ?? {};
  if (outcomeWord(outcome, 'action') !== 'fail') return undefined;
  const statuses = outcomeWords(outcome, 'failure');
  return {
    rules: [timer, retry],
    sure: expiry === 'owed' && state.retries === 1,
    apply: (after) => failWith(requester, after, item, { statuses, rule: retry, event: item.event }),
  };
}
