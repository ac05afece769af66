import type { RecvWr } from '../../../spec/verbs.ts';
import type { Qp, Srq } from '../qp.ts';

/** Why a responder is judged no further behind a receive work request that was taken with more elements than its queue has room for. */
export const tooManyElements = 'responders with a receive work request that has too many elements';

/** Whether a receive work request has more elements than the queue that it was posted to has room for, as far as that is known. */
export function hasTooMany({ sg_list: list }: RecvWr, queue: Qp | Srq): boolean {
  return list.length > ('most' in queue ? queue.most.receiveSge : queue.maxSge);
}
