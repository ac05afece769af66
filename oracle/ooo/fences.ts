import type { Sender } from './send-queue.ts';
import { decision } from './tables.ts';
import type { OutOfOrderTables } from './tables.ts';
import { overlapping, sameTarget } from './work.ts';
import type { SentWork } from './work.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { Ledger } from '../rulebook/ledger.ts';

type Fenced = 'nothing' | 'reads' | 'all' | 'overlapping';

/** What work requests of an out-of-order QP wait for. */
export class Fences {
  readonly #sender: Sender;
  readonly #tables: OutOfOrderTables;

  constructor(sender: Sender, tables: OutOfOrderTables) {
    this.#sender = sender;
    this.#tables = tables;
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
  before(work: SentWork, ledger: Ledger): { rule: Rule; missing: number | undefined }[] {
    return this.#of(work).map((fenced) => {
      const { rule, outcome } = decision(this.#tables.fence, { fenced });
      ledger.exercise([rule]);
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
    const guard = decision(this.#tables.fence, { fenced: 'overlapping' });
    const open = this.#earlier(work).filter((one) => !this.#sender.retired(one, 'both'));
    const guards = profile?.fence === 'indicator' && outcomeWord(guard.outcome, 'mustWait') === 'overlapping';
    if (guards && open.some((one) => overlapping(one, work))) return true;
    return this.#of(work).some((fenced) => {
      const { outcome } = decision(this.#tables.fence, { fenced });
      return this.#missing(work, outcomeWord(outcome, 'mustWait')) !== undefined;
    });
  }
}
