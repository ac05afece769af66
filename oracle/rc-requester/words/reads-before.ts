import { psnDiff } from '../../../wire/psn.ts';
import { endOf } from '../../device/queues/send-queue.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';
import type { Requester } from '../requester.ts';
import type { RequesterState } from '../state.ts';

/** READs and ATOMICs before a work request that are not complete. Built in: a search of the send queue. */
export function readsBefore({ work }: Requester, { head, una }: RequesterState, item: WorkItem): WorkItem[] {
  return [...work.between(head, item.index)].filter(
    (other) => (other.kind === 'read' || other.kind === 'atomic') && psnDiff(endOf(other), una) > 0,
  );
}
