import type { RecvWr, Wc } from '../../../spec/verbs.ts';
import { totalLength } from '../../device/memory.ts';
import type { Difference } from '../../device/packet/header.ts';
import { immediateText, lengthText } from '../../device/queues/receive-texts.ts';
import { kindOf } from '../../device/queues/wc-kind.ts';
import { ofRule } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import type { UnreliableQp } from '../qp.ts';
import type { Due, ReceiveState } from './state.ts';
import type { UnreliableBook } from '../tables.ts';
import type { UnreliableInputs } from '../variables.ts';
import { bind } from '../words/memory.ts';

/** A receive completion as it came. */
export interface Receipt {
  wc: Wc;
  /** the WQE that it names, if it is one of an SRQ that had not completed before */
  open: RecvWr | undefined;
}

/** Whether the completion is of the work request that is due: of that one, or of any of an SRQ that others take from as well. */
export function isOf(qp: UnreliableQp, due: Due, { wc, open }: Receipt): boolean {
  if (qp.contested === undefined) return qp.posted.at(due.wqe)?.wr_id === wc.wr_id;
  if (open === undefined) return false;
  const least = due.kind === 'receive' && due.end === 'message' ? due.length : 0;
  return totalLength(open.sg_list) >= least;
}

/** Moves a state over a completion; false where it calls for none such: of that work request, with that status. */
export function takes(qp: UnreliableQp, state: ReceiveState, receipt: Receipt): boolean {
  const { wc, open } = receipt;
  if (wc.status === 'IBV_WC_WR_FLUSH_ERR') return state.machine.flag('flushes')({}, state);
  const [due] = state.due;
  if (due === undefined || !isOf(qp, due, receipt)) return false;
  if (!due.statuses.includes(wc.status)) return false;
  state.due = state.due.slice(1);
  if (qp.contested !== undefined && open !== undefined) bind(qp, state, due, open);
  return true;
}

type Unmet = Difference & { rule: Rule };

/** What a completion shows that is not as a demand has it, by the demands whose condition is in the YAML. */
const textsOf = ofRule<(due: Due, wc: Wc) => Difference>({
  mustLength: ({ length }, wc) => lengthText(length, wc),
  mustImmediate: immediateText,
  mustSource: (due, wc) => ({ expected: `src_qp ${due.source}`, observed: `src_qp ${wc.src_qp}` }),
  mustGrh: () => ({ expected: 'the flag IBV_WC_GRH', observed: 'none' }),
});

const nothingDue: UnreliableInputs['due'] = { end: 'none', length: 0, kind: 'receive' };

/** What the rules demand of the receive completions of a QP. */
export class ReceiveDemands {
  readonly #qp: UnreliableQp;
  readonly #book: UnreliableBook;

  constructor(qp: UnreliableQp, book: UnreliableBook) {
    this.#qp = qp;
    this.#book = book;
  }

  /** Those of the one that is due, or of none. */
  rules(state: ReceiveState, due: Due | undefined): readonly Rule[] {
    return this.#book.ask('uc-ud-responder-completion', {
      inputs: { qp: this.#qp, due: due ?? nothingDue },
      variables: state,
    });
  }

  /** What of a successful completion is not as they demand it. */
  unmet(rules: readonly Rule[], state: ReceiveState, due: Due, wc: Wc): Unmet[] {
    const { machine } = this.#book.tables;
    const seen = { wc: { ...wc, kind: kindOf(wc.opcode), grh: wc.grh === true }, due };
    return rules.flatMap((rule) => {
      const [outcome = {}] = rule.outcomes;
      return textsOf(rule)
        .filter(({ key }) => machine.holds(key)(outcome, seen, state) === false)
        .map(({ kept: text }) => ({ rule, ...text(due, wc) }));
    });
  }

  /** The rule that is broken by a completion that came, or did not come. */
  wrong(rules: readonly Rule[], state: ReceiveState, came: boolean): Rule | undefined {
    return this.#book.unmet(rules, 'mustCome', { inputs: { came }, variables: state })[0];
  }

  /** The rule that is broken where something else comes than is due; `same`: of the same work request. */
  wrongly(rules: readonly Rule[], state: ReceiveState, due: Due, same: boolean): Rule | undefined {
    if (due.end === 'message' && !same)
      return (
        due.reused ?? this.#book.unmet(rules, 'mustOrder', { inputs: { inOrder: same }, variables: state })[0]
      );
    return due.violatedRule ?? this.wrong(rules, state, false);
  }

  text({ statuses, wqe }: Due): string {
    const { contested, posted } = this.#qp;
    const which =
      contested === undefined ? `work request ${posted.at(wqe)?.wr_id ?? '?'}` : 'a work request of the SRQ';
    return `${statuses.join(' or ')} of ${which}`;
  }
}
