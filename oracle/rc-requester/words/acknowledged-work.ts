import { psnDiff } from '../../../wire/psn.ts';
import { endOf } from '../../device/queues/send-queue.ts';
import type { Requester } from '../requester.ts';
import type { RequesterState } from '../state.ts';

/**
 * Place in the send queue behind the work requests that a response acknowledges as a whole, `upTo` being the first PSN that it
 * does not. Built in: one response may answer any number of them, which takes a search of the queue.
 */
export function acknowledgedWork({ work }: Requester, { head, tail }: RequesterState, upTo: number): number {
  let index = head;
  for (const item of work.between(head, tail)) {
    if (psnDiff(endOf(item), upTo) > 0) break;
    index++;
  }
  return index;
}
