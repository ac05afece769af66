import type { FactMeaning, MachineDraft, StatementDraft } from '../../machine-draft.ts';
import { expressionFlips, statementFlips } from '../expression/flips.ts';
import type { Scope } from '../expression/scope.ts';
import { flag } from '../expression/types.ts';
import type { ValueType } from '../expression/types.ts';
import { scopeOf, valueType } from './scope.ts';
import { flat } from './statements.ts';

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
  /** places in `machine.yaml` that it is a part of: `where` but for statements that are in several */
  readonly users: readonly string[];
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

/** What names mean in the texts of a machine, and whether their parts are changed by themselves: see `expressionFlips`. */
interface How {
  readonly scope: Scope;
  readonly deeper: boolean;
}

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
  how: How,
  type: ValueType,
  put: (text: string) => T,
): Change<T>[] {
  if (text === undefined) return [];
  return expressionFlips(text, how.scope, type, how.deeper).map((flip) => ({
    ...flip,
    where,
    from: text,
    made: put(flip.to),
  }));
}

type Statements = readonly StatementDraft[];

/** Changes of one list: each statement is taken out, and each value and condition is another one; not of the lists in it. */
function* ofStatements(drafts: Statements, how: How): Generator<Change<Statements>> {
  for (const [i, draft] of drafts.entries()) {
    const without = drafts.toSpliced(i, 1);
    const put = (other: StatementDraft): Statements => drafts.with(i, other);
    if (typeof draft === 'string') {
      yield { where: '', from: draft, to: '', word: 'statement', made: without };
      for (const flip of statementFlips(draft, how.scope, how.deeper))
        yield { ...flip, where: '', from: draft, made: put(flip.to) };
    } else if ('all' in draft) {
      const from = flat(draft.all).map((one) => (typeof one === 'string' ? one : `if ${one.if}`));
      yield { where: '', from: from.join('; '), to: '', word: 'statement', made: without };
    } else {
      for (const { to, word } of expressionFlips(draft.if, how.scope, { ...flag, unknown: true }, how.deeper))
        yield { where: '', from: `if ${draft.if}`, to: `if ${to}`, word, made: put({ ...draft, if: to }) };
    }
  }
}

/** A list of statements, with the first place where it stands, and the steps and outcomes that it is a part of. */
interface Block {
  readonly list: Statements;
  readonly where: string;
  readonly users: Set<string>;
}

function addBlocks(list: Statements, where: string, user: string, found: Map<Statements, Block>): void {
  const block = found.get(list) ?? { list, where, users: new Set() };
  found.set(list, block);
  block.users.add(user);
  for (const draft of list) {
    if (typeof draft === 'string') continue;
    if ('all' in draft) addBlocks(draft.all, where, user, found);
    else {
      addBlocks(draft.do, `${where}.if ${draft.if}`, user, found);
      if (draft.else !== undefined) addBlocks(draft.else, `${where}.unless ${draft.if}`, user, found);
    }
  }
}

function replaced(list: Statements, old: Statements, made: Statements): Statements {
  if (list === old) return made;
  const inside = (part: Statements): Statements => replaced(part, old, made);
  return list.map((draft) => {
    if (typeof draft === 'string') return draft;
    if ('all' in draft) return { all: inside(draft.all) };
    const base = { if: draft.if, do: inside(draft.do) };
    return draft.else === undefined ? base : { ...base, else: inside(draft.else) };
  });
}

function mapped<T>(map: Readonly<Record<string, T>>, change: (entry: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([name, entry]) => [name, change(entry)]));
}

/** Flips of the statements of a machine: what stands once and is used in several places is another one in all of them. */
function* blockFlips(draft: MachineDraft, how: How): Generator<MachineFlip> {
  const found = new Map<Statements, Block>();
  for (const [name, byValue] of Object.entries(draft.effects))
    for (const [value, list] of Object.entries(byValue)) {
      const where = `outcomes.${name}.does.${value}`;
      addBlocks(list, where, where, found);
    }
  for (const [name, list] of Object.entries(draft.steps))
    addBlocks(list, `steps.${name}`, `steps.${name}`, found);
  for (const { list, where, users } of found.values())
    for (const { from, to, word, made } of ofStatements(list, how)) {
      const inside = (other: Statements): Statements => replaced(other, list, made);
      yield {
        machine: draft.id,
        where,
        from,
        to,
        word: `${where}: ${from}, ${word}`,
        users: [...users],
        draft: {
          ...draft,
          effects: mapped(draft.effects, (byValue) => mapped(byValue, inside)),
          steps: mapped(draft.steps, inside),
        },
      };
    }
}

function ofFact(meaning: FactMeaning, values: readonly string[], how: How): Change<FactMeaning>[] {
  const { is, unknown, may = {} } = meaning;
  const openly = unknown !== undefined;
  const further = Object.entries(may).flatMap(([value, condition]) =>
    texts<FactMeaning>(`may.${value}`, condition, how, flag, (text) => ({
      ...meaning,
      may: { ...may, [value]: text },
    })),
  );
  if (typeof is === 'string')
    return [
      ...texts<FactMeaning>('', is, how, { plain: values, unknown: openly }, (text) => ({
        ...meaning,
        is: text,
      })),
      ...further,
    ];
  const cases = Object.entries(is).flatMap(([value, condition]) =>
    condition === 'otherwise'
      ? []
      : texts<FactMeaning>(value, condition, how, { ...flag, unknown: openly }, (text) => ({
          ...meaning,
          is: { ...is, [value]: text },
        })),
  );
  return [...cases, ...further];
}

/**
 * Every flip of a machine: start values, bounds of timers, named values, conditions of facts, effects and steps. `valuesOf`:
 * values of a fact of the vocabulary. `deeper`: the parts of each text as well.
 */
export function machineFlips(
  draft: MachineDraft,
  valuesOf: (fact: string) => readonly string[],
  deeper = false,
): MachineFlip[] {
  const how: How = { scope: scopeOf(draft), deeper };
  const flip = (change: Change<unknown>, part: Partial<MachineDraft>): MachineFlip => {
    const { where, from, to } = change;
    const word = `${where}: ${from}, ${change.word}`;
    return { machine: draft.id, where, from, to, word, users: [where], draft: { ...draft, ...part } };
  };
  const state = entries('state', draft.state, (entry) =>
    texts('starts', entry.starts, how, valueType(entry), (starts) => ({ ...entry, starts })),
  );
  const timers = entries('timers', draft.timers, (entry) => [
    ...texts('from', entry.from, how, time, (from) => ({ ...entry, from })),
    ...texts('to', entry.to, how, time, (to) => ({ ...entry, to })),
    ...texts('off', entry.off, how, flag, (off) => ({ ...entry, off })),
  ]);
  const values = entries('values', draft.values, (entry) =>
    texts('is', entry.is, how, valueType(entry), (is) => ({ ...entry, is })),
  );
  const facts = entries('facts', draft.facts, (entry, name) => ofFact(entry, valuesOf(name), how));
  const demands = entries('outcomes', draft.demands, (entry) =>
    entries('holds', entry, (text) =>
      texts<string>('', text, how, { ...flag, unknown: true }, (other) => other),
    ),
  );
  return [
    ...state.map((change) => flip(change, { state: change.made })),
    ...timers.map((change) => flip(change, { timers: change.made })),
    ...values.map((change) => flip(change, { values: change.made })),
    ...facts.map((change) => flip(change, { facts: change.made })),
    ...demands.map((change) => flip(change, { demands: change.made })),
    ...blockFlips(draft, how),
  ];
}
