import type { Expression, TimerPhase } from './ast.ts';
import { spanOf } from './parse.ts';

/** Another text for an expression or a statement. */
export interface TextFlip {
  readonly to: string;
  /** which word of the text is another one: the same for all that take its place; `more` and `less` are two words of a number */
  readonly word: string;
}

/** The phase next to one. */
const otherPhase: Readonly<Record<TimerPhase, TimerPhase>> = {
  stopped: 'early',
  early: 'due',
  due: 'overdue',
  overdue: 'due',
};

/** What an operand of `and` or `or` is where it says nothing. */
const neutral = { and: 'true', or: 'false' } as const;

function* put(text: string, at: Expression, inserted: string, word: string): Generator<TextFlip> {
  const { from, to } = spanOf(at);
  yield { to: `${text.slice(0, from)}${inserted}${text.slice(to)}`, word: `${word} at ${from}` };
}

/** What `and` or `or` connects, those of the same operator together. */
function operands(expression: Expression, operator: 'and' | 'or'): Expression[] {
  if (expression.kind !== 'binary' || expression.operator !== operator) return [expression];
  return [...operands(expression.left, operator), ...operands(expression.right, operator)];
}

/** Each operand of a chain of `and` or `or` is left out. */
function* withoutOperands(text: string, expression: Expression): Generator<TextFlip> {
  if (expression.kind !== 'binary') return;
  const { operator } = expression;
  if (operator !== 'and' && operator !== 'or') return;
  for (const one of operands(expression, operator)) yield* put(text, one, neutral[operator], 'operand');
}

/** A number inside a formula is one more and one less, or twice and half of it. */
function* otherNumbers(text: string, number: Expression & { kind: 'number' }): Generator<TextFlip> {
  const { value, unit } = number;
  if (value === Infinity) return;
  const whole = Number.isInteger(value) && unit === undefined;
  const written = (other: number): string => (unit === undefined ? `${other}` : `${other} ${unit}`);
  if (value === 0) return yield* put(text, number, written(1), 'number');
  yield* put(text, number, written(whole ? value + 1 : 2 * value), 'more');
  yield* put(text, number, written(whole ? value - 1 : value / 2), 'less');
}

/** What takes the place of an operator that has no opposite. */
const otherOperator: ReadonlyMap<string, string> = new Map([
  ['round', 'ceil'],
  ['ceil', 'round'],
  ['^', '*'],
]);

function* otherOperators(
  text: string,
  { operator, at }: { operator: string; at: number },
): Generator<TextFlip> {
  const other = otherOperator.get(operator);
  if (other === undefined) return;
  yield { to: `${text.slice(0, at)}${other}${text.slice(at + operator.length)}`, word: `at ${at}` };
}

/**
 * Changes of the parts of an expression: each operand of `and` and `or` is left out, each branch of an `if` is never taken, each
 * `not` inside is left out, and each number inside a formula, phase of a timer and rounding is another one.
 */
export function* parts(
  text: string,
  expression: Expression,
  { root = false, chain = '' } = {},
): Generator<TextFlip> {
  switch (expression.kind) {
    case 'number':
      // the whole of a text is changed as such
      if (!root) yield* otherNumbers(text, expression);
      return;
    case 'name':
      return;
    case 'phase': {
      const { timer, phase } = expression;
      return yield* put(text, expression, `${timer} ${otherPhase[phase]}`, 'phase');
    }
    case 'unary':
      if (expression.operator === 'not' && !root)
        yield* put(text, expression, text.slice(expression.at + 'not '.length, spanOf(expression).to), 'not');
      yield* otherOperators(text, expression);
      return yield* parts(text, expression.of);
    case 'choice':
      // a branch that is never taken
      yield* put(text, expression.condition, 'false', 'then');
      yield* put(text, expression.condition, 'true', 'else');
      yield* parts(text, expression.condition);
      yield* parts(text, expression.then);
      return yield* parts(text, expression.otherwise);
    case 'binary':
      yield* otherOperators(text, expression);
      if (expression.operator !== chain) yield* withoutOperands(text, expression);
      yield* parts(text, expression.left, { chain: expression.operator });
      yield* parts(text, expression.right, { chain: expression.operator });
  }
}
