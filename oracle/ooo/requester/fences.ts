import { outcomeWord } from '../../rulebook/outcome.ts';
import { attributesOf } from '../event.ts';
import type { Rule } from '../../rules.ts';
import type { OooBook } from '../registers.ts';
import type { Sender } from './send-queue.ts';
import { overlapping, sameTarget } from './work.ts';
import type { SentWork } from './work.ts';

/** What work requests of an out-of-order QP wait for. */
export class Fences {
  readonly #sender: Sender;
  readonly #book: OooBook;

  constructor(sender: Sender, book: OooBook) {
    this.#sender = sender;
    this.#book = book;
  }

  /** The fact `fenced`; several values may hold at once. */
  #of(work: SentWork): readonly string[] {
    const { profile } = this.#sender.device;
    const { fenced } = work.posted;
    const indicated = profile?.fence === 'indicator' && work.earlier.some((one) => sameTarget(one, work));
    const found = [
      ...(fenced ? ['reads'] : []),
      ...(fenced && profile?.fencesAll === true ? ['all'] : []),
      ...(indicated ? ['overlapping'] : []),
      ...(work.fetches && this.#sender.qp.maxRdAtomic !== undefined ? ['limited'] : []),
    ];
    return found.length === 0 ? ['nothing'] : found;
  }

  #waits(work: SentWork, fenced: string, count: boolean): { rule: Rule; word: string; waits: boolean } {
    const { rule, outcome } = this.#book[count ? 'only' : 'peek']('requester-fence', { fenced });
    const inputs = { work, attr: attributesOf(this.#sender.qp) };
    const waits = this.#sender.registers.holds('mustWait', outcome, inputs) === false;
    return { rule, word: outcomeWord(outcome, 'mustWait') ?? '', waits };
  }

  /** The rules that bind the start of the work request, each with the id of one that it had to wait for. */
  before(work: SentWork): { rule: Rule; missing: number | undefined }[] {
    return this.#of(work).map((fenced) => {
      const { rule, word, waits } = this.#waits(work, fenced, true);
      const waited = (one: SentWork): boolean =>
        word === 'reads' || word === 'slots'
          ? !one.answered
          : !one.mayRetire && (word === 'all' || sameTarget(one, work));
      return { rule, missing: waits ? work.earlier.find(waited)?.wr.wr_id : undefined };
    });
  }

  /**
   * Whether the work request still has to wait, or may: a device with fence indicators need not tell READs from the rest, nor what is
   * done behind work that is not.
   */
  holds(work: SentWork): boolean {
    const { word } = this.#waits(work, 'overlapping', false);
    const guards = this.#sender.device.profile?.fence === 'indicator' && word === 'overlapping';
    const { earlier } = work;
    const oldest = earlier.findIndex(({ retired }) => !retired);
    if (guards && oldest >= 0 && earlier.slice(oldest).some((one) => overlapping(one, work))) return true;
    return this.#of(work).some((fenced) => this.#waits(work, fenced, false).waits);
  }
}
