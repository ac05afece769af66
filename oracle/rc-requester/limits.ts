import type { QpAttr } from '../../spec/verbs.ts';
import type { RuleSet } from '../rules.ts';
import { requesterMachine } from './machine.ts';
import { RcRequesterVariables } from './variables.ts';

/** How long a requester goes on without an answer, as the machine rc-requester has it. */
export interface RetryLimits {
  /** Whether RNR NAKs use up no counter. */
  unlimited(rnrRetry: number): boolean;
  /** Nanoseconds until what nobody answers has failed at the latest; `slack`: how late each step may be. Infinite: never. */
  givenUp(attr: QpAttr, slack: number): number;
  /** Likewise, of what is answered by nothing but RNR NAKs that name this wait (nanoseconds). */
  rnrGivenUp(attr: QpAttr, slack: number, wait: number): number;
}

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
