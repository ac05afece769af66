import { outcomeWord } from '../../rulebook/outcome.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { When } from '../../spot.ts';
import type { OooBook } from '../registers.ts';
import { RequesterEvent } from './event.ts';
import type { Fences } from './fences.ts';
import type { Sender } from './send-queue.ts';
import type { SentWork } from './work.ts';

/** A packet leaves for the first time: the window has room for it, and the fences of its work request let it. */
export function judgeLaunch(
  book: OooBook,
  sender: Sender,
  fences: Fences,
  work: SentWork,
  psn: number,
  when: When,
): void {
  const { registers, device } = sender;
  const event = new RequesterEvent(sender, when.t, { psn, work });
  const { cap = -1 } = device.declared;
  const flight = registers.fact('flight', event);
  if (cap >= 0) {
    const { rule, outcome } = book.only('requester-window', { flight });
    const underWay = `${psnDiff(psn, registers.una) + 1}`;
    if (outcomeWord(outcome, 'sends') === 'forbidden')
      book.violate(rule, when, `at most ${cap} packets under way`, underWay);
  }
  if (psn === work.psn)
    for (const { rule, missing } of fences.before(work))
      if (missing !== undefined)
        book.violate(rule, when, `work request ${missing} complete before ${work.wr.wr_id}`, 'it is not');
  registers.do('sentNew', event);
  // what is not sent any more decides as well
  if (cap >= 0 && flight === 'below' && registers.fact('flight', event) === 'full')
    book.decide('requester-window', { flight: 'full' });
}
