import type { Scope } from '../expression/scope.ts';
import { allOf, expressionText, keptIn, knownWhere, statementText, unknownText } from '../expression/emit.ts';
import { parseExpression, parseStatement } from '../expression/parse.ts';
import { isNumber, isWord } from '../expression/types.ts';
import type { ValueType } from '../expression/types.ts';
import type { FactMeaning, MachineDraft, StatementDraft } from '../../machine-draft.ts';
import type { FactText } from './filler.ts';
import { layoutText } from './layout.ts';
import { scopeOf, valueType } from './scope.ts';
import { flat } from './statements.ts';

/** JavaScript of a machine; plain data. */
export interface MachineText {
  readonly program: string;
  /** by name */
  readonly facts: Readonly<Record<string, FactText>>;
}

/** Nanoseconds: sums of times that are no whole numbers are no more exact than that. */
const inexact = 0.01;

const quoted = (text: string): string => JSON.stringify(text);

function block(drafts: readonly StatementDraft[], scope: Scope): string {
  return flat(drafts)
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

function timerText(
  name: string,
  { from, to = from, off }: MachineDraft['timers'][string],
  scope: Scope,
): string {
  const text = (source: string): string => expressionText(parseExpression(source), scope);
  const earliest = `v[${quoted(`${name}Earliest`)}]`;
  const latest = `v[${quoted(`${name}Latest`)}]`;
  const stopped = `${earliest} < 0${off === undefined ? '' : ` || ${text(off)}`}`;
  return [
    `c[${quoted(`${name} from`)}] = (s, v) => ${text(from)};`,
    `c[${quoted(`${name} phase`)}] = (s, v) => ${stopped} ? "stopped" : ` +
      `s.now - ${earliest} < ${text(from)} - ${inexact} ? "early" : s.ran(${latest}) > ${text(to)} + s.slack ? "overdue" : "due";`,
  ].join('\n');
}

/** Before anything has set a variable that has no start. */
function unsetText(type: ValueType): string {
  if (type.upTo !== undefined) return '1';
  if (type.unknown) return unknownText(type);
  if (isWord(type)) return quoted(type.plain[0] ?? '');
  if (isNumber(type)) return unknownText(type);
  return type.plain === 'flag' ? 'false' : '""';
}

function startText({ state, timers }: MachineDraft, scope: Scope): string {
  const variables = Object.entries(state).map(([name, { starts, ...declared }]) => {
    const type = valueType(declared);
    if (starts === undefined) return `v[${quoted(name)}] = ${unsetText(type)};`;
    return statementText(
      { kind: 'assign', variable: name, value: parseExpression(starts), may: false, at: 0 },
      scope,
    );
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

function programText(draft: MachineDraft, facts: MachineText['facts'], scope: Scope): string {
  const words = Object.fromEntries(Object.entries(facts).map(([name, { indexes }]) => [name, indexes]));
  const lines = [
    `const words = ${JSON.stringify(words)};`,
    ...Object.entries(draft.values).map(([name, { is, ...declared }]) => {
      const text = openText(is, scope, unknownText(valueType(declared)));
      return `c[${quoted(name)}] = (s, v) => ${text};`;
    }),
    `const start = (s, v) => { ${startText(draft, scope)} };`,
    ...Object.entries(draft.timers).map(([name, timer]) => timerText(name, timer, scope)),
    ...Object.entries(facts).flatMap(([name, { text, likeliest, narrow }]) => [
      `facts[${quoted(name)}] = { read: (s, v) => ${text}, likeliest: (s, v) => ${likeliest} };`,
      ...(narrow === '' ? [] : [`narrow[${quoted(name)}] = (s, v, i) => { ${narrow} };`]),
    ]),
    ...Object.entries(draft.effects).map(
      ([name, byValue]) =>
        `effects[${quoted(name)}] = { ${Object.entries(byValue)
          .map(([value, statements]) => `${quoted(value)}: (s, v) => { ${block(statements, scope)} }`)
          .join(', ')} };`,
    ),
    ...Object.entries(draft.demands).map(([name, byValue]) => {
      const cases = Object.entries(byValue).map(
        ([value, is]) => `case ${quoted(value)}: return ${openText(is, scope, 'undefined')};`,
      );
      return `demands[${quoted(name)}] = (o, s, v) => { switch (o[${quoted(name)}]) { ${cases.join(' ')} } };`;
    }),
    ...Object.entries(draft.steps).map(
      ([name, statements]) => `steps[${quoted(name)}] = (s, v) => { ${block(statements, scope)} };`,
    ),
  ];
  return [
    'const c = {}, facts = {}, effects = {}, demands = {}, steps = {}, narrow = {};',
    ...lines,
    `return { facts, effects, demands, steps, narrow, values: c, start, words, layout: ${layoutText(draft)} };`,
  ].join('\n');
}

/** The text of a draft without mistakes. `valuesOf`: values of a fact of the vocabulary, in their order. */
export function machineText(draft: MachineDraft, valuesOf: (fact: string) => readonly string[]): MachineText {
  const scope = scopeOf(draft);
  const facts = Object.fromEntries(
    Object.entries(draft.facts).map(([name, meaning]) => [
      name,
      factText(name, meaning, valuesOf(name), scope),
    ]),
  );
  return { program: programText(draft, facts, scope), facts };
}
