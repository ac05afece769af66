import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import type { UnreliableQp } from '../qp.ts';
import type { UnreliableBook } from '../tables.ts';
import { isOf, ReceiveDemands, takes, type Receipt } from './completion.ts';
import type { Discards } from './discards.ts';
import type { Due, ReceiveState } from './state.ts';

const flushed = 'IBV_WC_WR_FLUSH_ERR';

/** Judges the receive completions of a UC or UD QP by the states that it may be in. */
export class ReceiveCompletions {
  readonly #qp: UnreliableQp;
  readonly #book: UnreliableBook;
  readonly #discards: Discards;
  readonly #demands: ReceiveDemands;

  constructor(qp: UnreliableQp, book: UnreliableBook, discards: Discards) {
    this.#qp = qp;
    this.#book = book;
    this.#discards = discards;
    this.#demands = new ReceiveDemands(qp, book);
  }

  /**
   * Moves those of the states that call for the completion over it, and judges what is in it; gives those for which it is right, or
   * all of them if none is. None: no state calls for it.
   */
  met(states: readonly ReceiveState[], receipt: Receipt, when: When): ReceiveState[] {
    const { wc } = receipt;
    const ways = states.flatMap((state) => {
      const [due] = state.due;
      if (!takes(this.#qp, state, receipt)) return [];
      const rules = due === undefined || wc.status === flushed ? [] : this.#demands.rules(state, due);
      const unmet = due?.end === 'message' ? this.#demands.unmet(rules, state, due, wc) : [];
      return [{ state, rules, unmet }];
    });
    const [way] = ways;
    if (way === undefined) return [];
    this.#book.exercise(way.rules);
    const right = ways.filter(({ unmet }) => unmet.length === 0);
    if (right.length === 0)
      for (const { rule, expected, observed } of way.unmet)
        this.#book.violate(rule, when, expected, observed);
    return (right.length > 0 ? right : ways).map(({ state }) => state);
  }

  /** A completion that no state explains. `due`: what the likeliest one calls for. */
  wrong(state: ReceiveState, receipt: Receipt, due: Due | undefined, when: When): void {
    const { wc } = receipt;
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    // the rules of flushes judge that a failed send queue took the QP to ERR, and what RESET should have forgotten
    if (wc.status === flushed && (state.qpState === 'SQE' || this.#qp.posted.isForgotten(wc.wr_id))) return;
    const same = due !== undefined && isOf(this.#qp, due, receipt);
    const called = wc.status === flushed && !same ? undefined : due;
    const rules = this.#demands.rules(state, called);
    this.#book.exercise(rules);
    if (called !== undefined) {
      const wrong = this.#demands.wrongly(rules, state, called, same);
      return this.#book.violate(wrong, when, this.#demands.text(called), seen);
    }
    const rule = this.#discards.explaining(state, wc) ?? this.#demands.wrong(rules, state, true);
    this.#book.violate(rule, when, 'no receive completion', seen);
  }

  /** The rules that demand none where nothing is due. */
  none(state: ReceiveState): readonly Rule[] {
    return this.#demands.rules(state, undefined);
  }

  /** What is due has not come in its time. */
  overdue(state: ReceiveState, due: Due, t: number): void {
    const missing = this.#demands.wrong(this.#demands.rules(state, due), state, false);
    const rule = due.violatedRule ?? due.reused ?? missing;
    this.#book.violate(rule, { event: due.event, t }, this.#demands.text(due), 'no completion');
  }
}
