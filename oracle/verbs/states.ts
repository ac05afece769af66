import type { QpAttr } from '../../spec/verbs.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { KnownQp } from './objects.ts';
import { movementFacts, plainValues } from './modify.ts';
import { stateName } from '../device/qp-state.ts';
import { fail } from './completions.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';

/** Judges the states of QPs: the calls that change them, and what is said of them. */
export class VerbsStateJudge {
  readonly #context: VerbsContext;
  /** something was begun on the device since everything was last at rest */
  readonly #traffic: () => boolean;

  constructor(context: VerbsContext, traffic: () => boolean) {
    this.#context = context;
    this.#traffic = traffic;
  }

  modify(qp: KnownQp | undefined, attr: QpAttr, when: When, errno: number | undefined): void {
    if (qp === undefined) return;
    const to = attr.qp_state === undefined ? undefined : stateName(attr.qp_state);
    if (qp.service !== 'RC') this.#judge(qp, attr, when, errno);
    if (errno === undefined && to !== undefined) this.#enter(qp, to, attr, when.event);
  }

  /** Of RC, the tables qp-modify-... decide. */
  #judge(qp: KnownQp, attr: QpAttr, when: When, errno: number | undefined): void {
    if (qp.unsure || this.#mayHaveChanged(qp))
      return this.#context.book.skip('ibv_modify_qp of a QP that may have changed its state by itself');
    const named = attr.cur_qp_state;
    if (named !== undefined && stateName(named) !== qp.state) return;
    const to = attr.qp_state === undefined ? qp.state : stateName(attr.qp_state);
    const undrained = qp.sends.length > 0 && qp.drain !== 'told';
    const facts = movementFacts(qp.service, qp.state, attr, to, undrained);
    const judged = this.#context.book.ruling('modify', facts, 'result');
    if (judged === undefined) return;
    const observed = errno === undefined ? 'it succeeds' : `it fails with errno ${errno}`;
    if (judged.word === 'either')
      return this.#context.book.choice(judged.rule, errno === undefined ? 'accepted' : 'refused');
    if ((judged.word === 'accepted') === (errno === undefined)) return;
    if (judged.word === 'accepted' && !plainValues(attr)) return;
    const call = `ibv_modify_qp of a ${qp.service} QP from ${qp.state} to ${to}`;
    const expected = `${call} ${judged.word === 'accepted' ? 'succeeds' : 'fails'}`;
    this.#context.book.violate(judged.rule, { ...when, qp: qp.name }, expected, observed);
  }

  #enter(qp: KnownQp, to: KnownQp['state'], attr: QpAttr, event: number): void {
    const from = qp.state;
    // what was flushed before had a cause of its own, which this call hides
    if (from !== to) qp.uncaused = [];
    qp.happened = 'nothing';
    qp.unsure = false;
    if (from === 'ERR' && to !== 'ERR') qp.lastWqe = 'none';
    switch (to) {
      case 'RESET':
        reset(qp);
        break;
      case 'RTR':
        if (from !== 'RTR') qp.established = qp.receivedInRtr = false;
        break;
      case 'SQD':
        if (from !== 'SQD') qp.drain = attr.en_sqd_async_notify === true ? 'asked' : 'not-asked';
        break;
      case 'RTS':
        if (from === 'SQE') for (const work of qp.sends.all()) work.past = true;
        if (from === 'SQD') qp.drain = 'not-asked';
        if (qp.sends.length > 0) qp.busy = true;
        break;
      case 'ERR':
        qp.drain = 'not-asked';
        if (from !== 'ERR') fail(qp, event);
        break;
      case 'INIT':
      case 'SQE':
        break;
    }
    qp.enter(to, event);
  }

  query(qp: KnownQp | undefined, attr: QpAttr, when: When): void {
    if (qp === undefined || attr.qp_state === undefined || qp.blind) return;
    const seen = stateName(attr.qp_state);
    const grave = ['failed-send', 'failed-receive', 'fatal-event'].includes(qp.happened);
    const open = qp.unsure || (!grave && this.#mayHaveChanged(qp));
    const facts = { happened: open && !grave ? 'open' : qp.happened, ofService: qp.service };
    // where packets are seen, the rules of RC say more of it
    const told = qp.service === 'RC' && this.#context.atDevice && qp.happened === 'nothing';
    for (const rule of told ? [] : this.#context.book.decide('state', facts)) {
      const demand = ruleWord(rule, 'stateAfter') ?? 'any';
      const wanted = demand === 'kept' ? qp.state : demand === 'any' ? seen : demand;
      if (wanted === seen) continue;
      const spot = { ...when, qp: qp.name };
      this.#context.book.violate(rule, spot, `state ${wanted}`, `state ${seen}`);
    }
    if (seen === 'ERR' && qp.state !== 'ERR') fail(qp, when.event);
    qp.enter(seen, when.event);
    qp.unsure = false;
    if (!grave) qp.happened = 'nothing';
  }

  /** Whether a QP may have failed since everything was last at rest. */
  #mayHaveChanged(qp: KnownQp): boolean {
    if (qp.state === 'RESET' || qp.state === 'INIT' || qp.state === 'ERR') return false;
    if (qp.uncaused.length > 0 || qp.arrived > 0 || qp.busy) return true;
    // a timer of its own may fail it at any time
    if (qp.service === 'RC' && qp.sends.length > 0) return true;
    return !this.#context.atDevice && this.#traffic();
  }
}

function reset(qp: KnownQp): void {
  const left = [...qp.sends.clear(), ...qp.receives.clear()];
  qp.leftover = new Set(left.map(({ wrId }) => wrId));
  qp.received = 0;
  qp.arrived = 0;
  qp.everArrived = false;
  qp.newestArrival = -1;
  qp.busy = false;
  qp.sharedFlushes = 0;
  qp.drain = 'not-asked';
  qp.lastWqe = 'none';
  qp.earlyLastWqe = undefined;
  qp.established = qp.receivedInRtr = false;
  qp.fatal = 'none';
}
