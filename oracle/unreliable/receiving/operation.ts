import type { Outcome, Rule } from '../../rules.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Arrival } from './arrival.ts';
import type { Course } from './course.ts';
import { leave, plainDue, report } from './give-up.ts';
import type { Due } from './state.ts';
import { tableOf } from '../tables.ts';
import type { UnreliableInputs } from '../variables.ts';
import { accesses } from '../words/access.ts';
import { localMemory } from '../words/local-memory.ts';
import { leaveBytes, place } from '../words/memory.ts';

/** Checks that may fail at once, and carrying the packet out: every way on, that first. */
export function operations(arrival: Arrival, rules: readonly Rule[]): Course[] {
  const { qp, book, state } = arrival;
  const table = tableOf(qp.kind, 'operation');
  const found = new Set<Rule>();
  const memories = localMemory(arrival);
  for (const access of accesses(arrival))
    for (const memory of memories)
      for (const rule of book.ask(table, {
        inputs: arrival,
        variables: state,
        given: { access, localMemory: memory },
      }))
        found.add(rule);
  const courses = [...found].flatMap((rule) =>
    rule.outcomes.flatMap((outcome) => operation(arrival, [...rules, rule], rule, outcome)),
  );
  return courses.toSorted(
    (a, b) => Number(a.discardedBy !== undefined) - Number(b.discardedBy !== undefined),
  );
}

function operation(arrival: Arrival, rules: readonly Rule[], rule: Rule, outcome: Outcome): Course[] {
  const { qp, book, state } = arrival;
  if (outcomeWord(outcome, 'next') !== undefined) {
    const execute = book.peek(tableOf(qp.kind, 'execute'), { inputs: arrival, variables: state }).rule;
    return execute.outcomes.map((effect) => {
      const after = arrival.branch();
      carryOut(after, effect);
      return { after: after.state, rules: [...rules, execute], discardedBy: undefined, starved: false };
    });
  }
  const fault = outcomeWord(outcome, 'fault') as UnreliableInputs['fault'];
  if (fault !== undefined) return faulty(arrival, rules, rule, outcome, fault);
  const { machine } = state;
  const starved = machine.fact('receive')(arrival, state) === 'none';
  const after = arrival.branch();
  leaveBytes(after, outcome);
  if (qp.kind === 'UC') leave(after, rule);
  machine.effect('expectedPsn')(outcome, after, after.state);
  machine.effect('message')(outcome, after, after.state);
  return [{ after: after.state, rules, discardedBy: rule, starved }];
}

function faulty(
  arrival: Arrival,
  rules: readonly Rule[],
  rule: Rule,
  outcome: Outcome,
  fault: NonNullable<UnreliableInputs['fault']>,
): Course[] {
  const { qp, book, state } = arrival;
  const reported = book.peek(tableOf(qp.kind, 'report'), {
    inputs: arrival,
    variables: state,
    given: { fault },
  }).rule;
  return reported.outcomes.map((effect) => {
    const after = arrival.branch();
    leaveBytes(after, outcome);
    leave(after, rule);
    state.machine.effect('expectedPsn')(outcome, after, after.state);
    report(after, reported, effect, fault);
    return {
      after: after.state,
      rules: [...rules, reported],
      discardedBy: rule,
      reportedBy: reported,
      starved: false,
    };
  });
}

function carryOut(arrival: Arrival, effect: Outcome): void {
  const { state, packet, event } = arrival;
  const { machine } = state;
  const held = state.wqe;
  machine.effect('receiveQueue')(effect, arrival, state);
  machine.effect('grh')(effect, arrival, state);
  if (state.wqe !== held) {
    state.reused = state.reuses;
    state.reuses = undefined;
    state.placed = [];
  }
  place(arrival, effect);
  if (outcomeWord(effect, 'completion') === 'message' && state.wqe >= 0) {
    const due: Due = {
      ...plainDue('message', state.wqe, state.via, event),
      placed: state.placed,
      reused: state.reused,
      length: machine.number('byteLength')(arrival, state),
      immediate: packet.immediate,
      kind: machine.word('dueKind')(arrival, state) as Due['kind'],
      source: packet.deth?.srcQp,
    };
    state.due = [...state.due, due];
    state.placed = [];
  }
  machine.effect('expectedPsn')(effect, arrival, state);
  machine.effect('completion')(effect, arrival, state);
}
