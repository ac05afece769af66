import type { QpAttr } from '../../spec/verbs.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import type { RuleSet } from '../rules.ts';
import { requesterMachine } from './machine.ts';
import { RcRequesterVariables } from './variables.ts';

/** RangeError where the rules lack the machine. */
export function retryLimits(rules: RuleSet): RetryLimits {
  const machine = requesterMachine(rules);
  const [givenUp, rnrGivenUp] = [machine.number('givenUp'), machine.number('rnrGivenUp')];
  const unlimited = machine.flag('rnrUnlimited');
  const untouched = new RcRequesterVariables();
  const inputs = ({ timeout = 0, retry_cnt = 0, rnr_retry = 0 }: QpAttr, slack: number, wait = 0) => ({
    attr: { retry_cnt, rnr_retry, max_rd_atomic: 0 },
    path: { timeout, state: 'MIGRATED' as const },
    device: { minTimeout: 0, ran: 0, held: false },
    nak: { since: 0, wait, ran: 0 },
    slack,
  });
  return {
    unlimited: (rnr_retry) => unlimited(inputs({ rnr_retry }, 0), untouched),
    givenUp: (attr, slack) => givenUp(inputs(attr, slack), untouched),
    rnrGivenUp: (attr, slack, wait) => rnrGivenUp(inputs(attr, slack, wait), untouched),
  };
}
