import type { Failure } from '../results.ts';
import { answeredBy } from './occasion.ts';

const kinds: readonly (readonly [name: string, response: RegExp, request: RegExp])[] = [
  ['READ response', /^(?:\w+ )?RDMA_READ_RESPONSE_/, /RDMA_READ_REQUEST$/],
  ['ATOMIC Acknowledge', /^(?:\w+ )?ATOMIC_ACKNOWLEDGE /, /(?:FETCH_ADD|COMPARE_SWAP)$/],
  ['Acknowledge', /^(?:\w+ )?ACKNOWLEDGE psn \d+ qp \S+ ACK /, /(?:SEND|RDMA_WRITE)_\w+$/],
];
const asked = ['a READ', 'an ATOMIC', 'a SEND or WRITE'];

/**
 * A response of a kind that no request of that kind ever has: "Acknowledge in answer to a READ". Its requester can do nothing with it,
 * whichever rule is broken by it.
 */
export function misfitOf(failure: Failure): string | undefined {
  const response = kinds.findIndex(([, pattern]) => pattern.test(failure.observed));
  const request = answeredBy(failure);
  if (response < 0 || request === undefined) return undefined;
  const due = kinds.findIndex(([, , pattern]) => pattern.test(request));
  return due < 0 || due === response ? undefined : `${kinds[response]?.[0]} in answer to ${asked[due]}`;
}
