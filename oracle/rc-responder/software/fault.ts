import type { Qp } from '../../device/qp.ts';
import { lookupOf } from '../../rulebook/lookup.ts';
import { outcomeWord, outcomeWords, ruleThatSays } from '../../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../../rules.ts';
import { responderMachine } from '../machine.ts';
import type { PendingCompletion } from '../pending.ts';
import { RequestView } from '../request.ts';
import type { ResponderState } from '../state.ts';
import type { RcResponderInputs } from '../variables.ts';
import { Unbound, type Wqe } from '../unbound.ts';
import { markScatter } from '../words/memory.ts';

type Fault = RcResponderInputs['fault'];

/** A request with a fatal fault. */
class FaultyRequest extends RequestView {
  readonly fault: Fault;

  constructor({ qp, state, packet, arrival, event }: RequestView, fault: Fault) {
    super(qp, state, { packet, t: arrival, event });
    this.fault = fault;
  }
}

/** What becomes of a QP and its receive WQEs in the error state. */
export interface Faults {
  /** The request has a fatal fault. `event`: its index in the trace. */
  fatal(request: RequestView, fault: Fault, event: number): void;
  /** Receive WQEs still posted complete as flushed; of those on an SRQ, the one that the QP has taken. */
  flushReceives(qp: Qp, state: ResponderState, event: number): void;
}

export function createFaults(rules: RuleSet): Faults {
  const report = lookupOf(rules, 'rc-responder-report');
  const completions = lookupOf(rules, 'rc-responder-completion');
  const machine = responderMachine(rules);
  const boundWqe = machine.fact('boundWqe');
  const mayStay = machine.flag('mayStay');
  const flushed = ruleThatSays(completions({ consumedBy: 'flush' }), 'mustCome');

  function flushReceives(qp: Qp, state: ResponderState, event: number): void {
    const waiting = qp.srq === undefined ? qp.posted.between(state.rqHead, state.rqTail) : [];
    const held = state.wqe === undefined ? [] : [state.wqe];
    state.completions = [
      ...state.completions,
      ...[...held, ...waiting].map((wr) =>
        completionOf('flush', flushed, event, wr, ['IBV_WC_WR_FLUSH_ERR']),
      ),
    ];
    state.wqe = undefined;
    machine.step('flushed')({ onSrq: qp.srq !== undefined }, state);
  }

  function fatal(request: RequestView, fault: Fault, event: number): void {
    const { qp, state, waiting } = request;
    const bound = boundWqe(new FaultyRequest(request, fault), state);
    const wqe = bound === 'none' ? undefined : (state.wqe ?? waiting);
    const [rule] = report({ fault, boundWqe: bound });
    const outcome = rule?.outcomes[0];
    if (rule !== undefined && outcome !== undefined) {
      const events = outcomeWords(outcome, 'event');
      if (qp.verbs) state.report = { rule, event, fault, events };
      machine.machine.apply(outcome, request, state);
      const statuses = outcomeWords(outcome, 'status');
      if (wqe !== undefined && statuses.length > 0) {
        const due = completionOf('fault', rule, event, wqe, statuses);
        due.optional = mayStay(request, state);
        if (state.wqe === undefined) machine.step('faultTaken')({}, state);
        state.completions = [...state.completions, due];
        if (!(wqe instanceof Unbound)) markScatter(qp, state, wqe, 0, Number.MAX_SAFE_INTEGER, 'undefined');
        state.wqe = undefined;
      }
      if (outcomeWord(outcome, 'flush') === 'all') flushReceives(qp, state, event);
    }
    machine.step('faultFound')({}, state);
  }

  return { fatal, flushReceives };
}

/** A completion of a receive WQE. */
export function completionOf(
  kind: PendingCompletion['kind'],
  rule: Rule,
  event: number,
  wr: Wqe,
  statuses: readonly string[],
): PendingCompletion {
  return {
    kind,
    rule,
    event,
    wr,
    byteLen: 0,
    immediate: undefined,
    invalidated: undefined,
    opcode: 'receive',
    statuses,
    optional: false,
  };
}
