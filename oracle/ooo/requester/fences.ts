import type { Sender } from './send-queue.ts';
import type { OooBook } from '../tables.ts';
import { overlapping, sameTarget } from './work.ts';
import type { SentWork } from './work.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';

type Fenced = 'nothing' | 'reads' | 'all' | 'overlapping';

/** What work requests of an out-of-order QP wait for. */
export class Fences {
  readonly #sender: Sender;
  readonly #book: OooBook;

  constructor(sender: Sender, book: OooBook) {
    this.#sender = sender;
    this.#book = book;
  }

  #of(work: SentWork): Fenced[] {
    const { profile } = this.#sender.device;
    const found: Fenced[] = [];
    if (work.fenced) found.push('reads');
    if (work.fenced && profile?.fencesAll === true) found.push('all');
    if (profile?.fence === 'indicator' && this.#earlier(work).some((one) => sameTarget(one, work)))
      found.push('overlapping');
    return found.length === 0 ? ['nothing'] : found;
  }

  #earlier(work: SentWork): SentWork[] {
    return this.#sender.works.filter(({ first }) => first < work.first);
  }

  /** The rules that bind the start of the work request, each with the id of one that it had to wait for. */
  before(work: SentWork): { rule: Rule; missing: number | undefined }[] {
    return this.#of(work).map((fenced) => {
      const { rule, outcome } = this.#book.only('requester-fence', { fenced });
      return { rule, missing: this.#missing(work, outcomeWord(outcome, 'mustWait'))?.wr.wr_id };
    });
  }

  #missing(work: SentWork, wait: string | undefined): SentWork | undefined {
    const sender = this.#sender;
    const unfinished = this.#earlier(work).filter((one) => !sender.retired(one, 'either'));
    if (wait === 'reads') return this.#earlier(work).find((one) => sender.isFetch(one) && !one.answered);
    if (wait === 'all') return unfinished[0];
    return wait === 'overlapping' ? unfinished.find((one) => sameTarget(one, work)) : undefined;
  }

  /** Whether the work request still has to wait, or may: a device with fence indicators need not tell READs from the rest. */
  holds(work: SentWork): boolean {
    const { profile } = this.#sender.device;
    const guard = this.#book.peek('requester-fence', { fenced: 'overlapping' });
    const open = this.#earlier(work).filter((one) => !this.#sender.retired(one, 'both'));
    const guards = profile?.fence === 'indicator' && outcomeWord(guard.outcome, 'mustWait') === 'overlapping';
    if (guards && open.some((one) => overlapping(one, work))) return true;
    return this.#of(work).some((fenced) => {
      const { outcome } = this.#book.peek('requester-fence', { fenced });
      return this.#missing(work, outcomeWord(outcome, 'mustWait')) !== undefined;
    });
  }
}
