import type { Rule, RuleSet } from '../../oracle/rules.ts';
import type { StateDiagram, StateEdge } from '../../report/state-diagram.ts';
import { qpTransitions } from '../../spec/constants.ts';

/** A fact that is a state, and an outcome that moves it, by the words of the vocabulary. */
interface Machine {
  title: string;
  about: string;
  fact: string;
  outcome: string;
  /** state that a value of the outcome leads to; what is absent leaves the state as it is */
  leadsTo: Readonly<Record<string, string>>;
}

const machines: readonly Machine[] = [
  {
    title: 'NAK outstanding at an RC responder',
    about: 'Which NAK a responder has sent and waits to see answered; from the tables that move it.',
    fact: 'nakState',
    outcome: 'nakState',
    leadsTo: { none: 'none', sequence: 'sequence', rnr: 'rnr' },
  },
  {
    title: 'ACK timer of an RC requester',
    about: 'What the timer does when requests are sent and responses arrive.',
    fact: 'ackTimer',
    outcome: 'ackTimer',
    leadsTo: { restarted: 'running' },
  },
  {
    title: 'Path migration',
    about: 'Migration state of a QP with an alternate path.',
    fact: 'pathState',
    outcome: 'migration',
    leadsTo: { rearms: 'REARM', arms: 'ARMED', migrates: 'MIGRATED' },
  },
];

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

function machineDiagram(machine: Machine, set: RuleSet): StateDiagram {
  const { title, about, fact, outcome, leadsTo } = machine;
  const states = set.rules
    .flatMap((rule) => set.tables.get(rule.table)?.facts.filter(({ name }) => name === fact) ?? [])
    .flatMap((found) => found.values);
  const edgesOf = (rule: Rule): { from: string | undefined; to: string; cause: string }[] => {
    const asks = set.tables.get(rule.table)?.facts.some(({ name }) => name === fact) === true;
    const from = asks ? rule.when[fact] : undefined;
    const to = rule.outcomes
      .flatMap((choice) => values(choice[outcome]))
      .flatMap((word) => leadsTo[word] ?? []);
    return to.flatMap((state) =>
      (from ?? [undefined]).map((origin) => ({ from: origin, to: state, cause: rule.id })),
    );
  };
  return { title, about, states: [...new Set(states)], edges: joined(set.rules.flatMap(edgesOf)) };
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
    title: `States of ${service === 'RC' ? 'an' : 'a'} ${service} QP`,
    about: 'By ibv_modify_qp, with the attributes that each step requires, and by what happens to the QP.',
    states: qpStates.filter((state) => reached.has(state)),
    edges,
  };
}

/** Every state diagram that the rules and constants describe. */
export function stateDiagrams(set: RuleSet): StateDiagram[] {
  return [
    ...(['RC', 'UC', 'UD'] as const).map((service) => qpDiagram(service, set)),
    ...machines.map((machine) => machineDiagram(machine, set)),
  ];
}
