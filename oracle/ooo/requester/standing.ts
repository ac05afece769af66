import { outcomeWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooBook } from '../registers.ts';
import { RequesterEvent } from './event.ts';
import type { Fences } from './fences.ts';
import type { Sender } from './send-queue.ts';

/** At rest: false where the requester should have sent something. `active`: since the last rest. */
export function judgeStanding(
  book: OooBook,
  sender: Sender,
  fences: Fences,
  active: boolean,
  when: When,
): boolean {
  const { registers, works } = sender;
  const work = sender.find(registers.end);
  const held = (): boolean => work !== undefined && fences.holds(work);
  const event = new RequesterEvent(sender, when.t, { work, held });
  const unsent = registers.fact('unsent', event);
  const { rule, outcome } = book.peek('requester-standing', { unsent });
  if (active) book.exercise([rule]);
  if (outcomeWord(outcome, 'expiry') !== 'owed') {
    if (active && works.length > 0)
      for (const other of ['work', 'retransmission']) book.decide('requester-standing', { unsent: other });
    return true;
  }
  const expected = unsent === 'work' ? 'the next packet' : 'the packets that count as lost';
  book.violate(rule, when, expected, 'nothing');
  return false;
}
