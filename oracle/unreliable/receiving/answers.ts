import { describe } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import type { UnreliableQp } from '../qp.ts';
import type { UnreliableBook } from '../tables.ts';
import type { ReceiveState } from './state.ts';

/** Responses of a UC or UD QP: it sends none, unless the rule that decided a packet calls for one. */
export class ReceiveAnswers {
  readonly #qp: UnreliableQp;
  readonly #book: UnreliableBook;
  /** rule that calls for a response */
  #due: { rule: Rule; event: number } | undefined;

  constructor(qp: UnreliableQp, book: UnreliableBook) {
    this.#qp = qp;
    this.#book = book;
  }

  /** A packet was decided by these rules, one of which may call for a response. */
  decided(rules: readonly Rule[], event: number): void {
    const rule = rules.find((one) => (ruleWord(one, 'reply') ?? 'none') !== 'none');
    if (rule !== undefined) this.#due = { rule, event };
  }

  /** The device has sent a response. `state`: the likeliest of the QP; `lost`: it may be another one */
  sent(packet: Packet, when: When, { state, lost }: { state: ReceiveState; lost: boolean }): void {
    if (this.#due !== undefined) return void (this.#due = undefined);
    const rule = this.silence(state);
    if (!lost && ruleWord(rule, 'mustStay') === 'silent')
      this.#book.violate(rule, when, 'no response', describe(packet));
  }

  /** A response that was due has had its time. */
  settle(t: number): void {
    if (this.#due !== undefined)
      this.#book.violate(this.#due.rule, { event: this.#due.event, t }, 'a response', 'none');
    this.#due = undefined;
  }

  /** The rule about answers, which counts as exercised. */
  silence(state: ReceiveState): Rule {
    const met = { inputs: { qp: this.#qp }, variables: state };
    return this.#book.only('uc-ud-responder-answer', met).rule;
  }
}
