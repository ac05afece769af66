import type { Wc } from '../../../spec/verbs.ts';
import { completionOpcode } from '../../device/send-queue.ts';
import { demanding } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooBook } from '../tables.ts';
import type { Sender } from './send-queue.ts';
import type { SentWork } from './work.ts';

/** A completion of success; false where nothing can be said from here on. */
export function judgeSuccess(book: OooBook, sender: Sender, work: SentWork, wc: Wc, when: When): boolean {
  const { works } = sender;
  const at = works.indexOf(work);
  const earlier = works.slice(0, at);
  const retired = [...earlier, work].every((one) => sender.retired(one, 'either'));
  const skipped = earlier.some((one) => one.signaled && !one.completed);
  const inTurn = skipped ? 'overtaking' : 'retired';
  const retiredWork = !retired ? 'pending' : work.signaled ? inTurn : 'unasked';
  const rules = book.decide('requester-completion', { retiredWork });
  if (at < works.length - 1) book.decide('requester-completion', { retiredWork: 'overtaking' });
  const undue = demanding(rules, 'mustCome', 'never');
  work.completed = true;
  if (undue !== undefined) {
    book.violate(undue, when, 'no completion', `${wc.status} of work request ${wc.wr_id}`);
    return false;
  }
  const opcode = completionOpcode(work);
  const same = demanding(rules, 'mustOpcodeOf', 'request');
  if (wc.opcode !== undefined && wc.opcode !== opcode) book.violate(same, when, opcode, wc.opcode);
  else if (sender.isFetch(work) && wc.byte_len !== undefined && wc.byte_len !== work.length)
    book.violate(same, when, `byte_len ${work.length}`, `byte_len ${wc.byte_len}`);
  return true;
}

/** A completion of a work request that has none to come; false where nothing can be said from here on. */
export function judgeAgain(book: OooBook, { works }: Sender, wc: Wc, when: When): boolean {
  if (!works.some(({ wr }) => wr.wr_id === wc.wr_id)) return true;
  const rules = book.decide('requester-completion', { retiredWork: 'gone' });
  const seen = `${wc.status} of work request ${wc.wr_id}`;
  book.violate(demanding(rules, 'mustCome', 'never'), when, 'no further completion', seen);
  return false;
}

/** Everything due has had its time; false where a completion is missing. `active`: since the last rest. */
export function judgeMissing(book: OooBook, sender: Sender, active: boolean, t: number): boolean {
  for (const work of sender.works) {
    if (!sender.retired(work, 'both')) {
      if (active) book.decide('requester-completion', { retiredWork: 'pending' });
      return true;
    }
    if (work.completed) continue;
    const rules = book.ask('requester-completion', { retiredWork: work.signaled ? 'retired' : 'unasked' });
    if (!work.signaled) book.exercise(rules);
    work.completed = true;
    const coming = demanding(rules, 'mustCome', 'once');
    if (coming === undefined) continue;
    const expected = `success of work request ${work.wr.wr_id}`;
    book.violate(coming, { event: work.event, t }, expected, 'no completion');
    return false;
  }
  return true;
}
