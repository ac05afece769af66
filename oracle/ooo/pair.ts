import type { OutOfOrderQp } from './qp.ts';
import type { OutOfOrderRequester } from './requester.ts';
import type { OutOfOrderResponder } from './responder.ts';

/** Both roles of one out-of-order QP. */
export interface OutOfOrderPair {
  qp: OutOfOrderQp;
  responder: OutOfOrderResponder;
  requester: OutOfOrderRequester;
}
