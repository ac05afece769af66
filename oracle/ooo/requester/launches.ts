import type { Packet } from '../../../wire/packet.ts';
import { demanding, outcomeWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import { wrongAddressee, wrongHeader } from '../header.ts';
import type { OooBook } from '../tables.ts';
import { unmetOf } from './demands.ts';
import type { Fences } from './fences.ts';
import type { Sender } from './send-queue.ts';
import { placedWorkOf } from './work.ts';
import type { SentWork } from './work.ts';

/** A packet leaves for the first time: the window has room for it, and the fences of its work request let it. */
export function judgeLaunch(
  book: OooBook,
  { recovery, device }: Sender,
  fences: Fences,
  work: SentWork,
  psn: number,
  when: When,
): void {
  const cap = device.profile?.cap;
  if (cap !== undefined) {
    const flight = psn - recovery.una >= cap ? 'full' : 'below';
    const { rule, outcome } = book.only('requester-window', { flight });
    if (outcomeWord(outcome, 'sends') === 'forbidden')
      book.violate(rule, when, `at most ${cap} packets under way`, `${psn - recovery.una + 1}`);
    if (flight === 'below' && psn - recovery.una === cap - 1)
      book.decide('requester-window', { flight: 'full' });
  }
  if (psn !== work.first) return;
  for (const { rule, missing } of fences.before(work))
    if (missing !== undefined)
      book.violate(rule, when, `work request ${missing} complete before ${work.wr.wr_id}`, 'it is not');
}

/** What the n-th packet of a work request must hold. */
export function judgePacket(
  book: OooBook,
  { qp, device }: Sender,
  packet: Packet,
  work: SentWork,
  n: number,
  when: When,
): void {
  const facts = { placedWork: placedWorkOf(work, n), ends: n === work.count - 1 ? 'last' : 'more' };
  const rules = book.decide('requester-packet', facts);
  const header = wrongHeader(qp, packet);
  const addressee = wrongAddressee(qp, packet);
  if (header) book.violate(demanding(rules, 'mustHeader', 'sound'), when, ...header);
  if (addressee) book.violate(demanding(rules, 'mustAddressee', 'configured'), when, ...addressee);
  const { placements } = device;
  for (const { rule, expected, observed } of unmetOf(rules, { qp, work, n, packet, placements }))
    book.violate(rule, when, expected, observed);
}
