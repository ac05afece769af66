import type { RetryAttributes, RetryLimits } from '../device/retry-limits.ts';
import type { RuleSet } from '../rules.ts';
import { requesterMachine } from './machine.ts';
import { RcRequesterVariables } from './variables.ts';

/** RangeError where the rules lack the machine. */
export function retryLimits(rules: RuleSet): RetryLimits {
  const machine = requesterMachine(rules);
  const [givenUp, rnrGivenUp] = [machine.number('givenUp'), machine.number('rnrGivenUp')];
  const unlimited = machine.flag('rnrUnlimited');
  const untouched = new RcRequesterVariables();
  const inputs = ({ timeout, retryCnt, rnrRetry }: RetryAttributes, slack: number, wait = 0) => ({
    attr: { retry_cnt: retryCnt, rnr_retry: rnrRetry, max_rd_atomic: 0 },
    path: { timeout, state: 'MIGRATED' as const },
    device: { minTimeout: 0, ran: 0, held: false },
    nak: { since: 0, wait, ran: 0 },
    slack,
  });
  return {
    unlimited: (rnrRetry) => unlimited(inputs({ timeout: 0, retryCnt: 0, rnrRetry }, 0), untouched),
    givenUp: (qp, slack) => givenUp(inputs(qp, slack), untouched),
    rnrGivenUp: (qp, slack, wait) => rnrGivenUp(inputs(qp, slack, wait), untouched),
  };
}
