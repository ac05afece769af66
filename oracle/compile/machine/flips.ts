import type { EffectMeaning, FactMeaning, MachineDraft, StatementDraft } from '../../machine-draft.ts';
import { expressionFlips, statementFlips } from '../expression/flips.ts';
import type { Scope } from '../expression/scope.ts';
import { flag } from '../expression/types.ts';
import type { ValueType } from '../expression/types.ts';
import { scopeOf, valueType } from './scope.ts';

/** A mutant of a machine: one of its texts says something else. */
export interface MachineFlip {
  readonly machine: string;
  /** the place in `machine.yaml`, such as `state.msn.starts` */
  readonly where: string;
  readonly from: string;
  /** empty where a statement is taken out */
  readonly to: string;
  /** which word it is: the same for all flips that put another one in its place */
  readonly word: string;
  readonly draft: MachineDraft;
}

interface Change<T> {
  readonly where: string;
  readonly from: string;
  readonly to: string;
  readonly word: string;
  readonly made: T;
}

const time: ValueType = { plain: 'time', unknown: false };

/** Changes of one entry of a map, as changes of the map. */
function entries<T>(
  section: string,
  map: Readonly<Record<string, T>>,
  changes: (entry: T, name: string) => Iterable<Change<T>>,
): Change<Readonly<Record<string, T>>>[] {
  return Object.entries(map).flatMap(([name, entry]) =>
    [...changes(entry, name)].map(({ where, made, ...change }) => ({
      ...change,
      where: `${section}.${name}${where === '' ? '' : `.${where}`}`,
      made: { ...map, [name]: made },
    })),
  );
}

/** Changes of one text of an entry. */
function texts<T>(
  where: string,
  text: string | undefined,
  scope: Scope,
  type: ValueType,
  put: (text: string) => T,
): Change<T>[] {
  if (text === undefined) return [];
  return expressionFlips(text, scope, type).map((flip) => ({
    ...flip,
    where,
    from: text,
    made: put(flip.to),
  }));
}

type Statements = readonly StatementDraft[];

const under = (condition: string, where: string): string =>
  where === '' ? condition : `${condition}.${where}`;

/** Each statement is taken out, and each value and condition is another one. */
function* ofStatements(drafts: Statements, scope: Scope): Generator<Change<Statements>> {
  for (const [i, draft] of drafts.entries()) {
    const without = drafts.toSpliced(i, 1);
    const put = (other: StatementDraft): Statements => drafts.with(i, other);
    if (typeof draft === 'string') {
      yield { where: '', from: draft, to: '', word: 'statement', made: without };
      for (const flip of statementFlips(draft, scope))
        yield { ...flip, where: '', from: draft, made: put(flip.to) };
      continue;
    }
    for (const { to, word } of expressionFlips(draft.if, scope, { ...flag, unknown: true }))
      yield { where: '', from: `if ${draft.if}`, to: `if ${to}`, word, made: put({ ...draft, if: to }) };
    for (const change of ofStatements(draft.do, scope))
      yield {
        ...change,
        where: under(`if ${draft.if}`, change.where),
        made: put({ ...draft, do: change.made }),
      };
    for (const change of ofStatements(draft.else ?? [], scope))
      yield {
        ...change,
        where: under(`unless ${draft.if}`, change.where),
        made: put({ ...draft, else: change.made }),
      };
  }
}

function ofFact(meaning: FactMeaning, values: readonly string[], scope: Scope): Change<FactMeaning>[] {
  const { is, unknown, may = {} } = meaning;
  const openly = unknown !== undefined;
  const further = Object.entries(may).flatMap(([value, condition]) =>
    texts<FactMeaning>(`may.${value}`, condition, scope, flag, (text) => ({
      ...meaning,
      may: { ...may, [value]: text },
    })),
  );
  if (typeof is === 'string')
    return [
      ...texts<FactMeaning>('', is, scope, { plain: values, unknown: openly }, (text) => ({
        ...meaning,
        is: text,
      })),
      ...further,
    ];
  const cases = Object.entries(is).flatMap(([value, condition]) =>
    condition === 'otherwise'
      ? []
      : texts<FactMeaning>(value, condition, scope, { ...flag, unknown: openly }, (text) => ({
          ...meaning,
          is: { ...is, [value]: text },
        })),
  );
  return [...cases, ...further];
}

/**
 * Every flip of a machine: start values, bounds of timers, named values, conditions of facts, effects and steps. `valuesOf`:
 * values of a fact of the vocabulary.
 */
export function machineFlips(
  draft: MachineDraft,
  valuesOf: (fact: string) => readonly string[],
): MachineFlip[] {
  const scope = scopeOf(draft);
  const flip = (change: Change<unknown>, part: Partial<MachineDraft>): MachineFlip => {
    const { where, from, to } = change;
    const word = `${where}: ${from}, ${change.word}`;
    return { machine: draft.id, where, from, to, word, draft: { ...draft, ...part } };
  };
  const state = entries('state', draft.state, (entry) =>
    texts('starts', entry.starts, scope, valueType(entry), (starts) => ({ ...entry, starts })),
  );
  const timers = entries('timers', draft.timers, (entry) => [
    ...texts('from', entry.from, scope, time, (from) => ({ ...entry, from })),
    ...texts('to', entry.to, scope, time, (to) => ({ ...entry, to })),
    ...texts('off', entry.off, scope, flag, (off) => ({ ...entry, off })),
  ]);
  const values = entries('values', draft.values, (entry) =>
    texts('is', entry.is, scope, valueType(entry), (is) => ({ ...entry, is })),
  );
  const facts = entries('facts', draft.facts, (entry, name) => ofFact(entry, valuesOf(name), scope));
  const effects = entries('outcomes', draft.effects, (entry) =>
    entries<Statements>('does', entry, (statements) => ofStatements(statements, scope)).map(
      (change): Change<EffectMeaning> => change,
    ),
  );
  const demands = entries('outcomes', draft.demands, (entry) =>
    entries('holds', entry, (text) =>
      texts<string>('', text, scope, { ...flag, unknown: true }, (other) => other),
    ),
  );
  const steps = entries('steps', draft.steps, (entry) => ofStatements(entry, scope));
  return [
    ...state.map((change) => flip(change, { state: change.made })),
    ...timers.map((change) => flip(change, { timers: change.made })),
    ...values.map((change) => flip(change, { values: change.made })),
    ...facts.map((change) => flip(change, { facts: change.made })),
    ...effects.map((change) => flip(change, { effects: change.made })),
    ...demands.map((change) => flip(change, { demands: change.made })),
    ...steps.map((change) => flip(change, { steps: change.made })),
  ];
}
