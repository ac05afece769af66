import type { Qp } from './qp.ts';

/** How often a QP tries again, and when. */
export type RetryAttributes = Readonly<Pick<Qp, 'timeout' | 'retryCnt' | 'rnrRetry'>>;

/** How long a requester goes on without an answer, as the machine rc-requester has it. */
export interface RetryLimits {
  /** Whether RNR NAKs use up no counter. */
  unlimited(rnrRetry: number): boolean;
  /** Nanoseconds until what nobody answers has failed at the latest; `slack`: how late each step may be. Infinite: never. */
  givenUp(qp: RetryAttributes, slack: number): number;
  /** Likewise, of what is answered by nothing but RNR NAKs that name this wait (nanoseconds). */
  rnrGivenUp(qp: RetryAttributes, slack: number, wait: number): number;
}
