import type { Machine, MachineFact, MachineLayout, Outcome } from '../../rules.ts';
import { allOf, expressionText, keptIn, knownWhere, statementText, unknownText } from '../expression/emit.ts';
import { parseExpression, parseStatement } from '../expression/parse.ts';
import type { Scope } from '../expression/scope.ts';
import type { FactMeaning, MachineDraft, StatementDraft } from '../../machine-draft.ts';
import { makeFiller } from './filler.ts';
import type { FactText } from './filler.ts';
import { layoutText } from './layout.ts';
import { scopeOf, valueType } from './scope.ts';

type Act = (inputs: object, variables: object) => void;
type Holds = (inputs: object, variables: object) => boolean | undefined;
type Read = (inputs: object, variables: object) => unknown;

/** What the text of a machine evaluates to. */
interface Program {
  readonly facts: Readonly<Record<string, Pick<MachineFact, 'read' | 'likeliest'>>>;
  readonly effects: Readonly<Record<string, Readonly<Record<string, Act>>>>;
  readonly demands: Readonly<Record<string, Readonly<Record<string, Holds>>>>;
  readonly steps: Readonly<Record<string, Act>>;
  readonly values: Readonly<Record<string, Read>>;
  readonly narrow: Readonly<Record<string, (inputs: object, variables: object, value: number) => void>>;
  readonly start: Act;
  readonly layout: MachineLayout;
  readonly words: object;
}

/** Bit set of what `of` makes of every value in a bit set; results out of 0..upTo are left out. */
function every(set: number, upTo: number, of: (k: number) => number): number {
  let made = 0;
  for (let k = 0; set >>> k !== 0; k++) {
    if (((set >>> k) & 1) === 0) continue;
    const value = of(k);
    if (value >= 0 && value <= upTo) made |= 1 << value;
  }
  return made;
}

const quoted = (text: string): string => JSON.stringify(text);

function block(drafts: readonly StatementDraft[], scope: Scope): string {
  return drafts
    .map((draft) => {
      if (typeof draft === 'string') return statementText(parseStatement(draft), scope);
      const condition = parseExpression(draft.if);
      const test = allOf([knownWhere(condition, scope), expressionText(condition, scope)]) ?? 'true';
      const otherwise = draft.else === undefined ? '' : ` else { ${block(draft.else, scope)} }`;
      return `if (${test}) { ${block(draft.do, scope)} }${otherwise}`;
    })
    .join(' ');
}

function factText(
  name: string,
  { is, unknown, may = {} }: FactMeaning,
  values: readonly string[],
  scope: Scope,
): FactText {
  const texts = typeof is === 'string' ? [is] : Object.values(is).filter((text) => text !== 'otherwise');
  const expressions = texts.map(parseExpression);
  const indexes = Object.fromEntries(values.map((value, i) => [value, i]));
  const indexOf = (text: string): string =>
    `words[${quoted(name)}][${expressionText(parseExpression(text), scope)}]`;
  const index =
    typeof is === 'string'
      ? indexOf(is)
      : Object.entries(is)
          .map(([value, condition]) => {
            const at = values.indexOf(value);
            return condition === 'otherwise'
              ? `${at}`
              : `${expressionText(parseExpression(condition), scope)} ? ${at} : `;
          })
          .join('');
  const known = allOf(expressions.map((e) => knownWhere(e, scope)));
  const kept = expressions.map((e) => keptIn(e, scope)).find((name) => name !== undefined);
  const all = 2 ** values.length - 1;
  const further = Object.entries(may).map(
    ([value, condition]) =>
      ` | (${expressionText(parseExpression(condition), scope)} ? ${1 << values.indexOf(value)} : 0)`,
  );
  const possible =
    kept === undefined
      ? `1 << (${index})${further.join('')}`
      : `every(v[${quoted(kept)}], ${values.length}, (k) => ${index})${further.join('')}`;
  if (known === undefined && kept === undefined && further.length === 0)
    return { kind: 'one', text: index, indexes, likeliest: index, narrow: '' };
  const assumed =
    unknown === undefined ? '0' : values.includes(unknown) ? `${values.indexOf(unknown)}` : indexOf(unknown);
  const otherwise = kept === undefined ? index : assumed;
  const target = kept === undefined ? '' : `v[${quoted(kept)}]`;
  const upTo = kept === undefined ? 0 : (scope.names.get(kept)?.type.upTo ?? 0);
  return {
    kind: 'possible',
    text: known === undefined ? possible : `${known} ? ${possible} : ${all}`,
    indexes,
    likeliest: known === undefined ? otherwise : `${known} ? ${otherwise} : ${assumed}`,
    narrow:
      kept === undefined ? '' : `${target} = every(${target}, ${upTo}, (k) => (${index}) === i ? k : -1);`,
  };
}

function timerText(name: string, { from, to, off }: MachineDraft['timers'][string], scope: Scope): string {
  const text = (source: string): string => expressionText(parseExpression(source), scope);
  const earliest = `v[${quoted(`${name}Earliest`)}]`;
  const latest = `v[${quoted(`${name}Latest`)}]`;
  const stopped = `${earliest} < 0${off === undefined ? '' : ` || ${text(off)}`}`;
  return [
    `c[${quoted(`${name} from`)}] = (s, v) => ${text(from)};`,
    `c[${quoted(`${name} phase`)}] = (s, v) => ${stopped} ? "stopped" : ` +
      `s.now - ${earliest} < ${text(from)} ? "early" : s.ran(${latest}) > ${text(to)} + s.slack ? "overdue" : "due";`,
  ].join('\n');
}

function startText({ state, timers }: MachineDraft, scope: Scope): string {
  const variables = Object.entries(state).map(([name, { starts, ...declared }]) => {
    const type = valueType(declared);
    if (starts === undefined)
      return `v[${quoted(name)}] = ${type.upTo === undefined ? unknownText(type) : '1'};`;
    return statementText({ kind: 'assign', variable: name, value: parseExpression(starts), at: 0 }, scope);
  });
  const stopped = Object.keys(timers).map(
    (name) => `v[${quoted(`${name}Earliest`)}] = v[${quoted(`${name}Latest`)}] = -1;`,
  );
  return [...variables, ...stopped].join(' ');
}

/** What an expression gives; `unknown` where something that it needs is. */
function openText(is: string, scope: Scope, unknown: string): string {
  const expression = parseExpression(is);
  const known = knownWhere(expression, scope);
  const text = expressionText(expression, scope);
  return known === undefined ? text : `${known} ? ${text} : ${unknown}`;
}

function programText(draft: MachineDraft, facts: ReadonlyMap<string, FactText>, scope: Scope): string {
  const words = Object.fromEntries([...facts].map(([name, { indexes }]) => [name, indexes]));
  const lines = [
    `const words = ${JSON.stringify(words)};`,
    ...Object.entries(draft.values).map(([name, { is, ...declared }]) => {
      const text = openText(is, scope, unknownText(valueType(declared)));
      return `c[${quoted(name)}] = (s, v) => ${text};`;
    }),
    `const start = (s, v) => { ${startText(draft, scope)} };`,
    ...Object.entries(draft.timers).map(([name, timer]) => timerText(name, timer, scope)),
    ...[...facts].flatMap(([name, { text, likeliest, narrow }]) => [
      `facts[${quoted(name)}] = { read: (s, v) => ${text}, likeliest: (s, v) => ${likeliest} };`,
      ...(narrow === '' ? [] : [`narrow[${quoted(name)}] = (s, v, i) => { ${narrow} };`]),
    ]),
    ...Object.entries(draft.effects).map(
      ([name, byValue]) =>
        `effects[${quoted(name)}] = { ${Object.entries(byValue)
          .map(([value, statements]) => `${quoted(value)}: (s, v) => { ${block(statements, scope)} }`)
          .join(', ')} };`,
    ),
    ...Object.entries(draft.demands).map(
      ([name, byValue]) =>
        `demands[${quoted(name)}] = { ${Object.entries(byValue)
          .map(([value, is]) => `${quoted(value)}: (s, v) => ${openText(is, scope, 'undefined')}`)
          .join(', ')} };`,
    ),
    ...Object.entries(draft.steps).map(
      ([name, statements]) => `steps[${quoted(name)}] = (s, v) => { ${block(statements, scope)} };`,
    ),
  ];
  return [
    '"use strict"; const c = {}, facts = {}, effects = {}, demands = {}, steps = {}, narrow = {};',
    ...lines,
    `return { facts, effects, demands, steps, narrow, values: c, start, words, layout: ${layoutText(draft)} };`,
  ].join('\n');
}

function run(text: string): Program {
  // The text holds nothing but what the emitter writes: operators, numbers, and declared names in quotes.
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- closures over closures cost several times as much
  const make = new Function('every', text) as (helper: typeof every) => Program;
  return make(every);
}

/** What a name stands for; RangeError where the machine does not have it. */
function required<T>(map: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = map[name];
  if (found === undefined) throw new RangeError(`${what} "${name}" is not in the YAML`);
  return found;
}

/** The machine of a draft without mistakes. `valuesOf`: values of a fact of the vocabulary, in their order. */
export function makeMachine(draft: MachineDraft, valuesOf: (fact: string) => readonly string[]): Machine {
  const scope = scopeOf(draft);
  const texts = new Map(
    Object.entries(draft.facts).map(([name, meaning]) => [
      name,
      factText(name, meaning, valuesOf(name), scope),
    ]),
  );
  const program = run(programText(draft, texts, scope));
  const facts = new Map(
    [...texts].map(([name, { kind }]): [string, MachineFact] => [
      name,
      {
        kind,
        values: valuesOf(name),
        ...required(program.facts, name, 'the meaning of fact'),
        narrow: program.narrow[name],
      },
    ]),
  );
  const acts = new WeakMap<Outcome, readonly Act[]>();
  const actsOf = (outcome: Outcome): readonly Act[] => {
    const found = Object.keys(draft.effects).flatMap((name) => {
      const value = outcome[name];
      return typeof value === 'string' ? (program.effects[name]?.[value] ?? []) : [];
    });
    acts.set(outcome, found);
    return found;
  };
  return {
    draft,
    facts,
    apply: (outcome, inputs, variables) => {
      for (const act of acts.get(outcome) ?? actsOf(outcome)) act(inputs, variables);
    },
    effect: (name) => {
      const byValue = required(program.effects, name, `machine ${draft.id}: the effect of outcome`);
      return (outcome, inputs, variables) => {
        const value = outcome[name];
        if (typeof value === 'string') byValue[value]?.(inputs, variables);
      };
    },
    holds: (name) => {
      const byValue = required(program.demands, name, `machine ${draft.id}: the demand of outcome`);
      return (outcome, inputs, variables) => {
        const value = outcome[name];
        return typeof value === 'string' ? byValue[value]?.(inputs, variables) : undefined;
      };
    },
    filler: (positions) => makeFiller(texts, positions, { c: program.values, words: program.words, every }),
    start: program.start,
    layout: program.layout,
    step: (name) => required(program.steps, name, `machine ${draft.id}: step`),
    value: (name) => required(program.values, name, `machine ${draft.id}: value`),
  };
}
