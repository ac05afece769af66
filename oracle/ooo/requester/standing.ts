import { outcomeWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooBook } from '../tables.ts';
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
  const placedOwed = owed(sender, fences, when.t);
  const { rule, outcome } = book.peek('requester-standing', { placedOwed });
  if (active) book.exercise([rule]);
  if (outcomeWord(outcome, 'expiry') !== 'owed') {
    if (active && sender.works.length > 0)
      for (const other of ['unsent', 'unresent']) book.decide('requester-standing', { placedOwed: other });
    return true;
  }
  const expected = placedOwed === 'unsent' ? 'the next packet' : 'the packets that count as lost';
  book.violate(rule, when, expected, 'nothing');
  return false;
}

function owed(sender: Sender, fences: Fences, t: number): 'unsent' | 'unresent' | 'nothing' {
  const { recovery, counts, qp } = sender;
  const { profile } = sender.device;
  if (recovery.refused !== undefined && t < recovery.refused.latest + (profile?.rto.high ?? 0))
    return 'nothing';
  // outside a recovery a device need not look for what is lost
  if (recovery.end >= 0 && !recovery.unsure)
    for (const psn of sender.allOpen())
      if (recovery.lost(psn) && !recovery.resent.has(psn)) return 'unresent';
  if (recovery.next >= counts.psn) return 'nothing';
  const work = sender.find(recovery.next);
  if (work === undefined || profile === undefined) return 'nothing';
  if (recovery.next - recovery.una >= profile.cap) return 'nothing';
  const begins = recovery.next === work.first;
  if (begins && fences.holds(work)) return 'nothing';
  const fetching = sender.works.filter(
    (one) => sender.isFetch(one) && !one.answered && one.first < recovery.next,
  );
  if (begins && sender.isFetch(work) && fetching.length >= qp.maxRdAtomic) return 'nothing';
  return 'unsent';
}
