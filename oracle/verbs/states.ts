import type { QpAttr } from '../../spec/verbs.ts';
import type { ObjectListener, QpChange } from '../device/listener.ts';
import { stateName } from '../device/qp-state.ts';
import { withArticle, type Qp } from '../device/qp.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { Forgotten } from './forgotten.ts';
import { callInputs, eventInputs } from './inputs.ts';
import { attributeInputs, transitionInputs } from './modify.ts';
import type { KnownQp } from './objects.ts';

/** Judges the states of QPs: the calls that change them, and what is said of them. */
export class VerbsStateJudge implements ObjectListener {
  readonly #context: VerbsContext;

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  modified(qp: Qp, { attr }: QpChange, when: When): void {
    this.#modify(this.#context.of(qp), attr, when, undefined);
  }

  modifyRefused(qp: Qp, attr: QpAttr, errno: number, when: When): void {
    this.#modify(this.#context.of(qp), attr, when, errno);
  }

  #modify(qp: KnownQp | undefined, attr: QpAttr, when: When, errno: number | undefined): void {
    if (attr.qp_state === 'IBV_QPS_RTS') this.#context.sight.traffic = true;
    if (qp === undefined) return;
    // of RC, the tables qp-modify-... decide
    if (qp.service !== 'RC') this.#judge(qp, attr, when, errno);
    if (errno === undefined && attr.qp_state !== undefined) this.#enter(qp, attr, when);
  }

  #judge(qp: KnownQp, attr: QpAttr, when: When, errno: number | undefined): void {
    const { book } = this.#context;
    if (this.#context.flag('uncertain', qp))
      return book.skip('ibv_modify_qp of a QP that may have changed its state by itself');
    const { cur_qp_state: named, qp_state: asked } = attr;
    if (named !== undefined && stateName(named) !== qp.qpState) return;
    const to = asked === undefined ? qp.qpState : stateName(asked);
    const inputs = this.#context.event(qp);
    inputs.call = callInputs(errno, to);
    inputs.transition = transitionInputs(qp.service, qp.qpState, to, attr);
    inputs.attr = attributeInputs(attr);
    const met = this.#context.met(qp, inputs);
    const rules = book.decide('modify', met);
    // values that not every device takes are a reason to refuse the call
    if (errno !== undefined && !this.#context.flag('plain', qp, inputs)) {
      if (rules.some((rule) => ruleWord(rule, 'result') === 'accepted')) return;
    }
    const call = `ibv_modify_qp of ${withArticle(qp.service)} QP from ${qp.qpState} to ${to}`;
    book.ended(rules, met, { call, at: { ...when, qp: qp.name }, errno });
  }

  #enter(qp: KnownQp, attr: QpAttr, when: When): void {
    const from = qp.qpState;
    const to = attr.qp_state === undefined ? from : stateName(attr.qp_state);
    // what was flushed before had a cause of its own, which this call hides
    if (from !== to) qp.uncaused = [];
    const inputs = this.#context.event(qp);
    inputs.call = callInputs(undefined, to, attr.en_sqd_async_notify);
    const failed = this.#context.flag('mayHaveFailed', qp) || this.#context.flag('leftFailed', qp);
    qp.step('modified', when, inputs);
    if (to === 'RTS' && from === 'SQE') for (const work of qp.sends.all()) work.past = true;
    if (to !== 'RESET') return;
    qp.leftover = new Forgotten();
    qp.leftover.caused = failed;
    qp.leftover.take('send', qp.sends.clear());
    qp.leftover.take('receive', qp.receives.clear());
    qp.earlyLastWqe = undefined;
  }

  queried(made: Qp, attr: QpAttr, when: When): void {
    const qp = this.#context.of(made);
    if (qp === undefined || attr.qp_state === undefined) return;
    const { book } = this.#context;
    const state = stateName(attr.qp_state);
    const inputs = this.#context.event(qp);
    inputs.queried = { qp_state: state };
    inputs.event = eventInputs(when);
    // what a QP is in may have come of what was not seen; the calls that follow are held against it all the same
    if (!qp.blind && !this.#context.flag('judgedByRc', qp))
      for (const rule of book.broken('state', 'stateAfter', this.#context.met(qp, inputs))) {
        const word = ruleWord(rule, 'stateAfter');
        const wanted = word === 'kept' ? qp.qpState : word;
        const silent = word === 'kept' && state === 'ERR' ? ': nothing says that it has failed' : '';
        book.violate(rule, { ...when, qp: qp.name }, `state ${wanted}${silent}`, `state ${state}`);
      }
    qp.step('queried', when, inputs);
  }
}
