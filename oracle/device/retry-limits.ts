import type { QpAttr } from '../../spec/verbs.ts';

/** How long a requester goes on without an answer, as the machine rc-requester has it. */
export interface RetryLimits {
  /** Whether RNR NAKs use up no counter. */
  unlimited(rnrRetry: number): boolean;
  /** Nanoseconds until what nobody answers has failed at the latest; `slack`: how late each step may be. Infinite: never. */
  givenUp(attr: QpAttr, slack: number): number;
  /** Likewise, of what is answered by nothing but RNR NAKs that name this wait (nanoseconds). */
  rnrGivenUp(attr: QpAttr, slack: number, wait: number): number;
}
