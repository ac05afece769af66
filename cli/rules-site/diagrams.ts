import { withArticle } from '../../oracle/device/qp.ts';
import { stateVariables } from '../../oracle/compile/machine/transitions.ts';
import type { StateVariable } from '../../oracle/compile/machine/transitions.ts';
import type { RuleSet } from '../../oracle/rules.ts';
import type { StateDiagram, StateEdge } from '../../report/state-diagram.ts';
import { qpTransitions } from '../../spec/constants.ts';

function values(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Edges with equal ends as one, causes in their order. */
function joined(edges: readonly { from: string | undefined; to: string; cause: string }[]): StateEdge[] {
  const found = new Map<string, { from: string | undefined; to: string; causes: string[] }>();
  for (const { from, to, cause } of edges) {
    const key = `${from ?? ''}>${to}`;
    const edge = found.get(key) ?? { from, to, causes: [] };
    if (!edge.causes.includes(cause)) edge.causes.push(cause);
    found.set(key, edge);
  }
  return [...found.values()];
}

/** A register of a machine that is one of several words, by what moves it. */
function registerDiagram({ machine, variable, about, states, transitions }: StateVariable): StateDiagram {
  return {
    title: `${machine}: ${variable}`,
    about: `Register ${variable} of the machine ${machine}: ${about}.`,
    states,
    edges: joined(transitions),
  };
}

const qpStates = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR'];

/** States of a QP: what ibv_modify_qp does, and what the table `verbs-state` says that happens by itself. */
function qpDiagram(service: 'RC' | 'UC' | 'UD', set: RuleSet): StateDiagram {
  const calls = (qpTransitions[service] ?? []).map(({ from, to, required }) => ({
    from,
    to,
    cause: `ibv_modify_qp${required.length === 0 ? '' : ` with ${required.join(', ')}`}`,
  }));
  const rules = set.tables.get('verbs-state')?.rules ?? [];
  const byItself = rules
    .filter(({ when }) => when['ofService']?.includes(service) ?? true)
    .flatMap((rule) =>
      rule.outcomes
        .flatMap((choice) => values(choice['stateAfter']))
        .filter((state) => qpStates.includes(state))
        .map((to) => ({ from: undefined, to, cause: rule.id })),
    );
  const edges = joined([
    ...calls,
    { from: undefined, to: 'RESET', cause: 'ibv_modify_qp' },
    { from: undefined, to: 'ERR', cause: 'ibv_modify_qp, but not from RESET' },
    ...byItself,
  ]);
  const reached = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return {
    title: `States of ${withArticle(service)} QP`,
    about: 'By ibv_modify_qp, with the attributes that each step requires, and by what happens to the QP.',
    states: qpStates.filter((state) => reached.has(state)),
    edges,
  };
}

/** Every state diagram that the rules and constants describe. */
export function stateDiagrams(set: RuleSet): StateDiagram[] {
  return [
    ...(['RC', 'UC', 'UD'] as const).map((service) => qpDiagram(service, set)),
    ...[...set.machines.values()]
      .flatMap((machine) => stateVariables(machine, set.rules).map(registerDiagram))
      // one edge is no picture
      .filter(({ edges }) => edges.length > 1),
  ];
}
