import { demanding } from '../rulebook/outcome.ts';
import type { SendItem } from './send.ts';
import type { UnreliableBook } from './tables.ts';

/** At rest: whether nothing is missing of a work request; notes what is. `running`: the QP sends what it has. */
export function settled(book: UnreliableBook, item: SendItem, running: boolean, t: number): boolean {
  const { sent, count, completed, signaled, stopped, doubtful, event } = item;
  if (doubtful) return true;
  const what = `work request ${item.wr.wr_id}`;
  if (sent === count) {
    if (completed || !signaled) return true;
    const rules = book.ask('uc-ud-requester-completion', { workEnd: 'sent' });
    const coming = demanding(rules, 'mustCome', 'once');
    book.violate(coming, { event, t }, `success of ${what}`, 'no completion');
    return false;
  }
  const unsent = book.ask('uc-ud-requester-completion', { workEnd: 'unsent' });
  if (completed && !stopped) {
    const expected = `all ${count} packets of ${what} before its completion`;
    book.violate(demanding(unsent, 'mustCome', 'never'), { event, t }, expected, `${sent} of them`);
    return false;
  }
  if (!running || stopped) {
    book.exercise(unsent);
    return true;
  }
  const owed = demanding(book.ask('uc-ud-requester-standing', { owedWork: 'unsent' }), 'expiry', 'owed');
  book.violate(owed, { event, t }, `${count} packets of ${what}`, `${sent} of them`);
  return false;
}
