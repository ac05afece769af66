import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { answerOf, type Answer } from '../../device/packet/answer.ts';
import { RequesterEvent } from '../inputs.ts';
import type { Requester } from '../requester.ts';
import type { RequesterState } from '../state.ts';
import { endOf } from '../../device/queues/send-queue.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';

/**
 * Facts of the table rc-requester-response that are built in, and what they were found by: which READs lack a response, and
 * what they asked for, takes a search of the send queue.
 */
export interface ResponseView {
  facts: Readonly<Record<'answer' | 'gap' | 'fit', string>>;
  /** it answers something that was acknowledged before */
  duplicate: boolean;
  answer: Answer;
  /** the work request that the PSN belongs to */
  item: WorkItem | undefined;
  /** PSN of the first READ or ATOMIC response that is missing before the response; the response's own if none is */
  gapPsn: number;
}

export function viewResponse(
  requester: Requester,
  state: RequesterState,
  packet: Packet,
  event: RequesterEvent,
): ResponseView {
  const { psn } = packet;
  const { una, head, tail } = state;
  const answer = answerOf(packet);
  const responsePsn = state.machine.responsePsn(event, state);
  const view = (gap: string, fit: string, item: WorkItem | undefined, gapPsn: number): ResponseView => ({
    facts: { answer: answer.kind, gap, fit },
    duplicate: responsePsn === 'duplicate',
    answer,
    item,
    gapPsn,
  });
  const item = responsePsn === 'outstanding' ? requester.work.find(psn, head, tail) : undefined;
  const fit = state.machine.fit(
    new RequesterEvent(requester, state, event.now, { packet, work: item }),
    state,
  );
  if (responsePsn !== 'outstanding') return view('none', fit, undefined, psn);
  for (const open of requester.work.between(head, tail)) {
    if (psnDiff(open.psn, psn) > 0) break;
    if (open.kind !== 'read' && open.kind !== 'atomic') continue;
    const missing = psnDiff(una, open.psn) > 0 ? una : open.psn;
    if (psnDiff(missing, endOf(open)) >= 0) continue;
    if (open === item && answer.kind === 'ack') return view('here', fit, item, missing);
    if (psnDiff(missing, psn) < 0) return view('before', fit, item, missing);
  }
  return view('none', fit, item, psn);
}
