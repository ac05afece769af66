import type { Wc } from '../../../spec/verbs.ts';
import type { Difference } from '../../device/packet/header.ts';
import { immediateText, invalidatedText, lengthText } from '../../device/queues/receive-texts.ts';
import { kindOf } from '../../device/queues/wc-kind.ts';
import type { DueReceive } from './arrivals.ts';
import { demanding, ofRule, ruleWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import type { OooResponderContext } from './context.ts';

/** A receive WQE that completes in error, since the SEND for it was refused. */
interface RefusedReceive {
  wqe: number;
  statuses: readonly string[];
  rule: Rule;
  event: number;
}

/** What a completion shows that is not as a demand has it. */
const textsOf = ofRule<(due: DueReceive, wc: Wc) => Difference>({
  mustLength: ({ length }, wc) => lengthText(length, wc),
  mustImmediate: immediateText,
  mustInvalidated: ({ invalidated }, wc) => invalidatedText(invalidated, wc),
});

/** Judges the receive completions of an out-of-order QP. */
export class ReceiveCompletions {
  readonly #context: OooResponderContext;
  /** in the order of posting, each with the rule that made it so */
  #due: { due: DueReceive; rule: Rule }[] = [];
  #refused: RefusedReceive | undefined;

  constructor(context: OooResponderContext) {
    this.#context = context;
  }

  expect(due: DueReceive, rule: Rule): void {
    this.#due.push({ due, rule });
  }

  forget(): void {
    this.#due = [];
    this.#refused = undefined;
  }

  refuse(refused: RefusedReceive): void {
    this.#refused = refused;
  }

  /** A completion after a refusal, which may be that of the WQE concerned. */
  refused(wc: Wc, when: When): void {
    const refused = this.#refused;
    if (refused === undefined || this.#context.qp.posted.at(refused.wqe)?.wr_id !== wc.wr_id) return;
    this.#refused = undefined;
    if (refused.statuses.includes(wc.status)) return;
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    this.#context.book.violate(refused.rule, when, refused.statuses.join(' or '), seen);
  }

  /** Everything due has had its time after a refusal. */
  settleRefused(t: number): void {
    const refused = this.#refused;
    if (refused === undefined) return;
    this.#refused = undefined;
    const { book, qp } = this.#context;
    const wrId = qp.posted.at(refused.wqe)?.wr_id ?? '?';
    const wanted = `${refused.statuses.join(' or ')} of work request ${wrId}`;
    book.violate(refused.rule, { event: refused.event, t }, wanted, 'no completion');
  }

  /** A completion of success; false where nothing can be said from here on. */
  judge(wc: Wc, when: When): boolean {
    const { book, qp } = this.#context;
    const at = this.#due.findIndex(({ due }) => qp.posted.at(due.wqe)?.wr_id === wc.wr_id);
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    const found = this.#due[at];
    if (found === undefined) return this.#notDue(wc, seen, when);
    const rules = book.decide('responder-completion', { arrivedMessage: 'whole' });
    const first = this.#due[0]?.due.wqe ?? -1;
    const order = demanding(rules, 'mustOrder', 'posting');
    if (at > 0 && order !== undefined) {
      book.violate(order, when, `completion of work request ${qp.posted.at(first)?.wr_id ?? '?'}`, seen);
      return false;
    }
    this.#due.splice(at, 1);
    book.violate(demanding(rules, 'mustCome', 'never'), when, 'no receive completion', seen);
    this.#compare(found.due, wc, rules, when);
    return true;
  }

  /** What a completion of success says, against the message. */
  #compare(due: DueReceive, wc: Wc, rules: readonly Rule[], when: When): void {
    const { book, registers } = this.#context;
    const event = { wc: { ...wc, kind: kindOf(wc.opcode), asPosted: true }, due };
    for (const rule of rules)
      for (const { key, kept: text } of textsOf(rule))
        if (registers.holds(key, rule.outcomes[0] ?? {}, event) !== true) {
          const { expected, observed } = text(due, wc);
          book.violate(rule, when, expected, observed);
        }
  }

  /** A completion that nothing calls for yet, or at all. */
  #notDue(wc: Wc, seen: string, when: When): false {
    const { book, qp, arrivals } = this.#context;
    const waiting = [...arrivals.message, ...arrivals.window.values()].some(
      ({ wqe }) => wqe !== undefined && qp.posted.at(wqe)?.wr_id === wc.wr_id,
    );
    const rules = book.decide('responder-completion', { arrivedMessage: waiting ? 'part' : 'none' });
    const expected = waiting ? 'no completion while packets are missing' : 'no receive completion';
    book.violate(demanding(rules, 'mustCome', 'never'), when, expected, seen);
    return false;
  }

  /** Everything due has had its time; false where something is missing. */
  settle(t: number): boolean {
    const { book, qp, arrivals } = this.#context;
    const [missing] = this.#due;
    const wrOf = (wqe: number): string => `success of work request ${qp.posted.at(wqe)?.wr_id ?? '?'}`;
    if (missing !== undefined) {
      const { due, rule } = missing;
      const coming = demanding(
        book.ask('responder-completion', { arrivedMessage: 'whole' }),
        'mustCome',
        'once',
      );
      // whether a message of this kind completes at all is judged where it has its turn
      book.violate(coming ?? rule, { event: due.event, t }, wrOf(due.wqe), 'no completion');
      return false;
    }
    const early = demanding(book.ask('responder-completion', { arrivedMessage: 'part' }), 'mustCome', 'once');
    const ended = [...arrivals.window.values()].find(({ wqe, placed }) => wqe !== undefined && placed.ends);
    if (early === undefined || ended?.wqe === undefined) return true;
    book.violate(early, { event: ended.event, t }, wrOf(ended.wqe), 'no completion');
    return ruleWord(early, 'mustCome') !== 'once';
  }
}
