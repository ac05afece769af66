import type { Wc } from '../../../spec/verbs.ts';
import { completionOpcode } from '../../device/queues/send-queue.ts';
import { kindOf } from '../../device/queues/wc-kind.ts';
import { demanding } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooBook } from '../registers.ts';
import type { Sender } from './send-queue.ts';
import type { SentWork } from './work.ts';

/** A completion of success; false where nothing can be said from here on. */
export function judgeSuccess(
  book: OooBook,
  { registers, works }: Sender,
  work: SentWork,
  wc: Wc,
  when: When,
): boolean {
  const rules = book.decide(
    'requester-completion',
    registers.facts('requester-completion', { posted: true, work }),
  );
  if (work !== works.at(-1))
    book.decide('requester-completion', { workState: 'acknowledged', earlierWork: 'unreported' });
  const never = demanding(rules, 'mustCome', 'never');
  work.completed = true;
  if (never !== undefined) {
    book.violate(never, when, 'no completion', `${wc.status} of work request ${wc.wr_id}`);
    return false;
  }
  const opcode = completionOpcode(work);
  const asPosted = wc.opcode === undefined || wc.opcode === opcode;
  const same = demanding(rules, 'mustOpcodeOf', 'request');
  const event = { work, wc: { ...wc, kind: kindOf(wc.opcode), asPosted } };
  if (same === undefined || registers.holds('mustOpcodeOf', same.outcomes[0] ?? {}, event) !== false)
    return true;
  if (asPosted) book.violate(same, when, `byte_len ${work.length}`, `byte_len ${wc.byte_len}`);
  else book.violate(same, when, opcode, wc.opcode ?? 'no opcode');
  return true;
}

/** What has completed does not complete again. */
export function judgeGone(book: OooBook, { registers }: Sender): ReturnType<OooBook['decide']> {
  const earlierWork = 'reported';
  return book.decide(
    'requester-completion',
    registers.facts('requester-completion', { posted: false }, { earlierWork }),
  );
}

/** A completion of a work request that has none to come; false where nothing can be said from here on. */
export function judgeAgain(book: OooBook, sender: Sender, wc: Wc, when: When): boolean {
  if (!sender.works.some(({ wr }) => wr.wr_id === wc.wr_id)) return true;
  const seen = `${wc.status} of work request ${wc.wr_id}`;
  book.violate(demanding(judgeGone(book, sender), 'mustCome', 'never'), when, 'no further completion', seen);
  return false;
}

/** Everything due has had its time; false where a completion is missing. `active`: since the last rest. */
export function judgeMissing(
  book: OooBook,
  { registers, works }: Sender,
  active: boolean,
  t: number,
): boolean {
  const earlierWork = 'reported';
  for (const work of works) {
    if (!work.retired) {
      if (active) book.decide('requester-completion', { workState: 'unacknowledged', earlierWork });
      return true;
    }
    if (work.completed) continue;
    const facts = registers.facts('requester-completion', { posted: true, work }, { earlierWork });
    const rules = book.ask('requester-completion', facts);
    if (!work.signaled) book.exercise(rules);
    work.completed = true;
    const coming = demanding(rules, 'mustCome', 'once');
    if (coming === undefined) continue;
    const expected = `success of work request ${work.wr.wr_id}`;
    book.violate(coming, { event: work.posted.event, t }, expected, 'no completion');
    return false;
  }
  return true;
}
