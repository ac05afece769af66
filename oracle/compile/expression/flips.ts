import type { Expression, Statement } from './ast.ts';
import { typeOf } from './check.ts';
import { parseExpression, parseStatement } from './parse.ts';
import { parts } from './parts.ts';
import type { TextFlip } from './parts.ts';
import type { Scope } from './scope.ts';
import { isWord } from './types.ts';
import type { ValueType } from './types.ts';

/** What takes the place of an operator: the nearest one that means something else. */
const pairs: readonly (readonly [string, string])[] = [
  ['<', '<='],
  ['>', '>='],
  ['=', '!='],
  ['behind', 'ahead'],
  ['and', 'or'],
  ['+', '-'],
  ['min', 'max'],
  ['*', '/'],
];
const otherOperator = new Map(
  pairs.flatMap(([a, b]): [string, string][] => [
    [a, b],
    [b, a],
  ]),
);

function splice(text: string, at: number, length: number, inserted: string): TextFlip {
  return { to: `${text.slice(0, at)}${inserted}${text.slice(at + length)}`, word: `at ${at}` };
}

const wordsOf = (type: ValueType): readonly string[] => (isWord(type) ? type.plain : []);

/** Changes inside an expression: each operator and each word that is held against an enumeration. */
function* inside(text: string, expression: Expression, scope: Scope): Generator<TextFlip> {
  switch (expression.kind) {
    case 'number':
    case 'name':
    case 'phase':
      return;
    case 'unary':
      yield* inside(text, expression.of, scope);
      return;
    case 'choice':
      yield* inside(text, expression.condition, scope);
      yield* inside(text, expression.then, scope);
      yield* inside(text, expression.otherwise, scope);
      return;
    case 'binary': {
      const { operator, left, right, at } = expression;
      const other = otherOperator.get(operator);
      if (other !== undefined) yield splice(text, at, operator.length, other);
      for (const [side, against] of [
        [left, right],
        [right, left],
      ] as const)
        yield* otherWords(text, side, against, scope);
      yield* inside(text, left, scope);
      yield* inside(text, right, scope);
    }
  }
}

function* otherWords(text: string, side: Expression, against: Expression, scope: Scope): Generator<TextFlip> {
  if (side.kind !== 'name' || scope.names.has(side.name) || against.kind !== 'name') return;
  const type = scope.names.get(against.name)?.type;
  for (const word of type === undefined ? [] : wordsOf(type))
    if (word !== side.name) yield splice(text, side.at, side.name.length, word);
}

/**
 * Other texts for an expression of a type, each of which means something else: a number is one more and one less (a time or any
 * other number is twice and half, or something instead of nothing), a flag is its opposite, a word each other word; and each operator of two sides and word
 * inside is another one. `deeper`: so are the parts of it (see `parts`). The expression must be one that `check.ts` accepts.
 */
export function expressionFlips(text: string, scope: Scope, type: ValueType, deeper = false): TextFlip[] {
  const expression = parseExpression(text);
  const own = typeOf(expression, scope, type);
  const whole = (): TextFlip[] => {
    if (isWord(type)) {
      const bare = expression.kind === 'name' && !scope.names.has(expression.name);
      const others = type.plain.filter((word) => !bare || word !== expression.name);
      return others.map((word, i) => {
        const next = others[(i + 1) % others.length] ?? word;
        return { to: bare ? word : `if ${text} = ${word} then ${next} else ${text}`, word: 'value' };
      });
    }
    switch (type.plain) {
      case 'flag':
        return [{ to: `not (${text})`, word: 'not' }];
      case 'psn':
      case 'int':
        return [
          { to: `(${text}) + 1`, word: 'more' },
          { to: `(${text}) - 1`, word: 'less' },
        ];
      case 'number':
      case 'time':
        // twice nothing is nothing, and twice for ever is for ever
        if (expression.kind === 'number' && (expression.value === 0 || expression.value === Infinity))
          return [{ to: type.plain === 'time' ? '1 ms' : '1', word: 'value' }];
        return [
          { to: `2 * (${text})`, word: 'more' },
          { to: `(${text}) / 2`, word: 'less' },
        ];
      case 'address':
        return [];
    }
    return [];
  };
  const made = [
    ...whole(),
    ...inside(text, expression, scope),
    ...(deeper ? parts(text, expression, { root: true }) : []),
  ];
  return made.filter(
    ({ to }, i) =>
      to !== text &&
      made.findIndex((other) => other.to === to) === i &&
      fits(to, scope, { ...type, unknown: own.unknown }),
  );
}

function fits(text: string, scope: Scope, type: ValueType): boolean {
  try {
    const made = typeOf(parseExpression(text), scope, { ...type, unknown: true });
    return type.unknown || !made.unknown;
  } catch {
    // such as a PSN that would be multiplied: no flip
    return false;
  }
}

/** Other texts for the value that a statement assigns, and for what it may assign that it does; none for other statements. */
export function statementFlips(text: string, scope: Scope, deeper = false): TextFlip[] {
  const statement: Statement = parseStatement(text);
  if (statement.kind !== 'assign') return [];
  const type = scope.names.get(statement.variable)?.type;
  if (type === undefined) return [];
  const at = text.indexOf(':=') + 2;
  const value = text.slice(at).trim();
  const target = `${statement.variable} :=`;
  return [
    ...(statement.may ? [{ to: `${target} ${value}`, word: 'may' }] : []),
    ...expressionFlips(value, scope, type, deeper).map(({ to, word }) => ({
      to: `${statement.may ? 'may ' : ''}${target} ${to}`,
      word,
    })),
  ];
}
