import type { Outcome, Rule } from '../../rules.ts';
import { outcomeWord, ruleWord } from '../../rulebook/outcome.ts';
import type { Arrival } from './arrival.ts';
import type { Course } from './course.ts';
import { giveUp } from './give-up.ts';
import { operations } from './operation.ts';
import { tableOf } from '../tables.ts';
import { refuse } from '../words/memory.ts';

/** Every way on for a packet that reaches the QP in this state, which stays as it is; the likeliest first. */
export function transitionsFor(arrival: Arrival): Course[] {
  const { qp, book, state } = arrival;
  const admission = book.peek(tableOf(qp.kind, 'admission'), { inputs: arrival, variables: state }).rule;
  if (ruleWord(admission, 'next') === undefined) {
    const after = arrival.branch();
    refuse(after);
    // a QP that lives on though it must have failed does not break a rule by what it receives
    const discardedBy = admission.when['qpState'] === undefined ? admission : (state.failedBy ?? admission);
    return [{ after: after.state, rules: [admission], discardedBy, starved: false }];
  }
  // that of a message which begins where receiving is not to be taken for granted
  const via = state.qpState === 'SQE' ? admission : undefined;
  if (qp.kind === 'UD') {
    const after = arrival.branch();
    after.state.via = via;
    return operations(after, [admission]);
  }
  const sequence = book.peek('uc-responder-sequence', { inputs: arrival, variables: state }).rule;
  const rules = [admission, sequence];
  return sequence.outcomes.flatMap((outcome) => inSequence(arrival.branch(), rules, sequence, outcome, via));
}

function inSequence(
  arrival: Arrival,
  rules: readonly Rule[],
  rule: Rule,
  outcome: Outcome,
  via: Rule | undefined,
): Course[] {
  const { state, packet, opcode } = arrival;
  const message = state.machine.effect('message');
  const word = outcomeWord(outcome, 'message');
  if (word === 'continue') return operations(arrival, rules);
  if (word === 'start' || word === 'restart') {
    const left = giveUp(arrival, rule);
    message(outcome, arrival, state);
    state.reth = packet.reth;
    state.via = word === 'restart' ? rule : via;
    state.rest = undefined;
    return operations(arrival, [...rules, ...left]);
  }
  const root = state.message === 'none' ? (state.rest?.rule ?? rule) : rule;
  const abandons = word === 'abandon';
  refuse(arrival);
  const left = abandons ? giveUp(arrival, rule) : [];
  message(outcome, arrival, state);
  const discardedBy = abandons || opcode.family === 'other' ? rule : root;
  return [{ after: state, rules: [...rules, ...left], discardedBy, starved: false }];
}
