import type { MachineDraft, StatementDraft } from '../../machine-draft.ts';
import type { Machine, Rule } from '../../rules.ts';
import { parseExpression, parseStatement } from '../expression/parse.ts';
import { flat } from './statements.ts';

/** A change of one variable from one word to another. */
export interface Transition {
  /** undefined: from any */
  readonly from: string | undefined;
  readonly to: string;
  /** id of the rule, or the step in words */
  readonly cause: string;
}

/** A variable of a machine that is one of several words, and what moves it. */
export interface StateVariable {
  readonly machine: string;
  readonly variable: string;
  readonly about: string;
  readonly states: readonly string[];
  readonly transitions: readonly Transition[];
}

/** The words that statements may set a variable to. */
function setTo(variable: string, drafts: readonly StatementDraft[]): string[] {
  return flat(drafts).flatMap((draft) => {
    if (typeof draft !== 'string')
      return [...setTo(variable, draft.do), ...setTo(variable, draft.else ?? [])];
    const statement = parseStatement(draft);
    const sets = statement.kind === 'assign' && statement.variable === variable;
    return sets && statement.value.kind === 'name' ? [statement.value.name] : [];
  });
}

/** State in which a fact of this value leaves the variable; undefined where the fact does not tell. */
function stateOf(variable: string, { facts }: MachineDraft, fact: string, value: string): string | undefined {
  const meaning = facts[fact]?.is;
  if (meaning === undefined) return undefined;
  if (typeof meaning === 'string') return meaning === variable ? value : undefined;
  const condition = meaning[value];
  if (condition === undefined || condition === 'otherwise') return undefined;
  const parsed = parseExpression(condition);
  if (parsed.kind !== 'binary' || parsed.operator !== '=' || parsed.left.kind !== 'name') return undefined;
  return parsed.left.name === variable && parsed.right.kind === 'name' ? parsed.right.name : undefined;
}

function byRule(variable: string, draft: MachineDraft, rule: Rule): Transition[] {
  const to = rule.outcomes.flatMap((outcome) =>
    Object.entries(draft.effects).flatMap(([name, byValue]) => {
      const value = outcome[name];
      return typeof value === 'string' ? setTo(variable, byValue[value] ?? []) : [];
    }),
  );
  const asked = Object.entries(rule.when).flatMap(([fact, values]) => {
    const states = values.map((value) => stateOf(variable, draft, fact, value));
    return states.every((state) => state !== undefined) ? [states] : [];
  })[0];
  return to.flatMap((state) => (asked ?? [undefined]).map((from) => ({ from, to: state, cause: rule.id })));
}

/** The variables of a machine that are one of several words, with what the rules of its own tables and its steps do to them. */
export function stateVariables({ draft }: Machine, rules: readonly Rule[]): StateVariable[] {
  const own = rules.filter(({ location }) => location.file.includes(`/${draft.id}/`));
  return Object.entries(draft.state).flatMap(([variable, { type, about }]) => {
    if (typeof type === 'string') return [];
    const states = type;
    const transitions = [
      ...own.flatMap((rule) => byRule(variable, draft, rule)),
      ...Object.entries(draft.steps).flatMap(([step, statements]) =>
        setTo(variable, statements).map((to) => ({ from: undefined, to, cause: `step ${step}` })),
      ),
    ].filter(({ to }) => states.includes(to));
    return transitions.length === 0 ? [] : [{ machine: draft.id, variable, about, states, transitions }];
  });
}
