import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { answerOf, type Answer } from '../../device/packet/answer.ts';
import type { RequesterEvent } from '../inputs.ts';
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
  const data = answer.kind === 'read-response' || answer.kind === 'atomic-ack';
  const responsePsn = state.machine.responsePsn(event, state);
  const view = (gap: string, fit: string, item: WorkItem | undefined, gapPsn: number): ResponseView => ({
    facts: { answer: answer.kind, gap, fit },
    duplicate: responsePsn === 'duplicate',
    answer,
    item,
    gapPsn,
  });
  const fitless = data ? 'unfit' : 'not-needed';
  if (responsePsn !== 'outstanding') return view('none', fitless, undefined, psn);
  const item = requester.work.find(psn, head, tail);
  const fit = !data ? 'not-needed' : fits(requester, state, packet, item) ? 'fits' : 'unfit';
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

/** Whether a READ response or ATOMIC Acknowledge is what the request with this PSN waits for. */
function fits(
  { attributes }: Requester,
  { reads }: RequesterState,
  packet: Packet,
  item: WorkItem | undefined,
): boolean {
  const operation = packet.info?.operation ?? '';
  if (item?.kind === 'atomic') return operation === 'ATOMIC_ACKNOWLEDGE';
  if (item?.kind !== 'read' || !operation.startsWith('RDMA_READ_RESPONSE')) return false;
  const index = psnDiff(packet.psn, item.psn);
  const last = index === item.count - 1;
  const { pmtu } = attributes;
  const expected = last ? item.length - index * pmtu : pmtu;
  if (packet.payloadLength !== expected) return false;
  const starts = reads.includes(packet.psn);
  // several READ requests may be out for one work request: each numbers its responses for itself
  const goesOn = reads.some((psn) => psnDiff(psn, item.psn) >= 0 && psnDiff(psn, packet.psn) < 0);
  if (operation.endsWith('_ONLY')) return starts && last;
  if (operation.endsWith('_FIRST')) return starts && !last;
  if (operation.endsWith('_LAST')) return goesOn && last;
  return goesOn && !last;
}
