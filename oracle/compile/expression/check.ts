import { didYouMean } from '../suggest.ts';
import { ExpressionError } from './ast.ts';
import type { BinaryOperator, Expression, Statement } from './ast.ts';
import type { Named, Scope } from './scope.ts';
import { flag, isNumeric, isWord, typeName } from './types.ts';
import type { ValueType } from './types.ts';

/** Names that are known where an expression is true, or where it is false, since it asks for that. */
function askedIn(expression: Expression, whether: boolean): string[] {
  if (expression.kind === 'unary') {
    if (expression.operator === 'not') return askedIn(expression.of, !whether);
    return expression.operator === 'known' && whether ? [...namesIn(expression.of)] : [];
  }
  if (expression.kind !== 'binary' || expression.operator !== (whether ? 'and' : 'or')) return [];
  return [...askedIn(expression.left, whether), ...askedIn(expression.right, whether)];
}

/** The scope where a condition is true, or false. */
export function scopeWhere(condition: Expression, whether: boolean, scope: Scope): Scope {
  const asked = askedIn(condition, whether);
  if (asked.length === 0) return scope;
  const names = new Map(scope.names);
  for (const name of asked) {
    const found = names.get(name);
    if (found !== undefined) names.set(name, { ...found, type: { ...found.type, unknown: false } });
  }
  return { ...scope, names };
}

const known = (type: ValueType, ...from: readonly ValueType[]): ValueType => ({
  ...type,
  unknown: from.some((operand) => operand.unknown),
});

function isBareWord(expression: Expression, scope: Scope): expression is Expression & { kind: 'name' } {
  return (
    expression.kind === 'name' &&
    !scope.names.has(expression.name) &&
    !/^(?:true|false|unknown)$/.test(expression.name)
  );
}

const isUnknown = (expression: Expression): boolean =>
  expression.kind === 'name' && expression.name === 'unknown';

function fits(type: ValueType, expected: ValueType): boolean {
  if (isWord(expected)) return isWord(type) && type.plain.every((word) => expected.plain.includes(word));
  if (isWord(type)) return false;
  if (expected.plain === 'number' || expected.plain === 'time') return isNumeric(type);
  return type.plain === expected.plain;
}

/**
 * Type of an expression. `expected`: what it is needed for, which tells words from names. ExpressionError where a name is unknown
 * or types do not go together.
 */
export function typeOf(expression: Expression, scope: Scope, expected?: ValueType): ValueType {
  const type = plainTypeOf(expression, scope, expected);
  if (expected !== undefined && !fits(type, expected))
    throw new ExpressionError(
      `${typeName(type)}, where ${typeName({ ...expected, unknown: false })} is needed`,
      expression.at,
    );
  return type;
}

function plainTypeOf(expression: Expression, scope: Scope, expected?: ValueType): ValueType {
  switch (expression.kind) {
    case 'number':
      if (expression.unit !== undefined) return { plain: 'time', unknown: false };
      if (expected?.plain === 'psn' && Number.isInteger(expression.value) && expression.value < 2 ** 24)
        return { plain: 'psn', unknown: false };
      return { plain: Number.isInteger(expression.value) ? 'int' : 'number', unknown: false };
    case 'name':
      return nameType(expression, scope, expected);
    case 'phase':
      if (scope.timers.has(expression.timer)) return flag;
      throw new ExpressionError(
        `unknown timer "${expression.timer}"${didYouMean(expression.timer, scope.timers)}`,
        expression.at,
      );
    case 'unary':
      return unaryType(expression, scope);
    case 'choice': {
      typeOf(expression.condition, scope, flag);
      const then = scopeWhere(expression.condition, true, scope);
      const otherwise = scopeWhere(expression.condition, false, scope);
      const wanted =
        expected ??
        (isBareWord(expression.then, scope) || isUnknown(expression.then)
          ? typeOf(expression.otherwise, otherwise)
          : typeOf(expression.then, then));
      return known(
        wanted,
        typeOf(expression.then, then, wanted),
        typeOf(expression.otherwise, otherwise, wanted),
      );
    }
    case 'binary':
      return binaryType(expression, scope);
  }
}

function nameType(
  { name, at }: Expression & { kind: 'name' },
  { names }: Scope,
  expected: ValueType | undefined,
): ValueType {
  if (name === 'true' || name === 'false') return flag;
  if (name === 'unknown') {
    if (expected === undefined) throw new ExpressionError('"unknown" has no type here', at);
    return { ...expected, unknown: true };
  }
  const found = names.get(name);
  const word = expected !== undefined && isWord(expected) && expected.plain.includes(name);
  if (found !== undefined && word && !isWord(found.type))
    throw new ExpressionError(
      `"${name}" is a ${found.kind} and a word of the enumeration; rename one of them`,
      at,
    );
  if (found !== undefined) return found.type;
  if (word) return { plain: [name], unknown: false };
  const candidates = expected !== undefined && isWord(expected) ? expected.plain : names.keys();
  throw new ExpressionError(`unknown name "${name}"${didYouMean(name, candidates)}`, at);
}

function unaryType({ operator, of, at }: Expression & { kind: 'unary' }, scope: Scope): ValueType {
  switch (operator) {
    case 'not':
      return known(flag, typeOf(of, scope, flag));
    case 'known': {
      if (of.kind !== 'name' || !typeOf(of, scope).unknown)
        throw new ExpressionError('"known" asks for a name that may be unknown', at);
      return flag;
    }
    case 'round':
    case 'ceil':
    case '-': {
      const type = typeOf(of, scope);
      if (!isNumeric(type)) throw new ExpressionError(`a number is needed, not ${typeName(type)}`, of.at);
      return operator !== '-' && type.plain === 'number' ? { ...type, plain: 'int' } : type;
    }
  }
}

const comparisons: ReadonlySet<BinaryOperator> = new Set([
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'behind',
  'ahead',
]);

function binaryType(expression: Expression & { kind: 'binary' }, scope: Scope): ValueType {
  const { operator, left, right, at } = expression;
  if (operator === 'and' || operator === 'or')
    return known(
      flag,
      typeOf(left, scope, flag),
      typeOf(right, scopeWhere(left, operator === 'and', scope), flag),
    );
  const wordFirst = isBareWord(left, scope);
  const b = wordFirst ? typeOf(right, scope) : undefined;
  const a = typeOf(left, scope, b !== undefined && isWord(b) ? b : undefined);
  const c = b ?? typeOf(right, scope, isWord(a) ? a : undefined);
  const wrong = (): ExpressionError =>
    new ExpressionError(`${typeName(a)} ${operator} ${typeName(c)} means nothing`, at);
  if (comparisons.has(operator)) {
    const circular = operator === 'behind' || operator === 'ahead';
    const equality = operator === '=' || operator === '!=';
    const alike = (isNumeric(a) && isNumeric(c)) || (isWord(a) && isWord(c)) || a.plain === c.plain;
    const ordered = circular ? a.plain === 'psn' : isNumeric(a);
    if (!alike || !(equality || ordered)) throw wrong();
    return known(flag, a, c);
  }
  if (a.plain === 'psn') {
    if (operator === '-' && c.plain === 'psn') return known({ plain: 'int', unknown: false }, a, c);
    if ((operator === '+' || operator === '-') && c.plain === 'int')
      return known({ plain: 'psn', unknown: false }, a, c);
    throw wrong();
  }
  if (!isNumeric(a) || !isNumeric(c)) throw wrong();
  if (operator === 'packetsOf') return known({ plain: 'int', unknown: false }, a, c);
  const plain =
    a.plain === 'time' || c.plain === 'time'
      ? 'time'
      : operator === '/' || a.plain === 'number' || c.plain === 'number'
        ? 'number'
        : 'int';
  return known({ plain, unknown: false }, a, c);
}

/**
 * Checks a statement against the variables that it may change. `declared`: the scope where nothing is asked for yet. ExpressionError
 * as above.
 */
export function checkStatement(statement: Statement, scope: Scope, declared: Scope): void {
  if (statement.kind === 'timer') {
    if (scope.timers.has(statement.timer)) return;
    const message = `unknown timer "${statement.timer}"${didYouMean(statement.timer, scope.timers)}`;
    throw new ExpressionError(message, statement.at);
  }
  if (statement.kind === 'reset') {
    for (const name of statement.but) variableOf(name, statement.at, scope, declared);
    return;
  }
  const target = variableOf(statement.variable, statement.at, scope, declared);
  if (statement.may && target.type.upTo === undefined)
    throw new ExpressionError(
      `"${statement.variable}" may change: that needs a type such as 0..7, of which every possible value is kept`,
      statement.at,
    );
  const type = typeOf(statement.value, scope, target.type);
  if (type.unknown && !target.type.unknown)
    throw new ExpressionError(
      `what may be unknown is assigned to "${statement.variable}", which may not`,
      statement.value.at,
    );
}

/** The variable of that name; ExpressionError at `at` if there is none. */
function variableOf(name: string, at: number, scope: Scope, declared: Scope): Named {
  const target = declared.names.get(name);
  if (target?.kind === 'variable') return target;
  const what =
    target === undefined
      ? 'is no variable of the machine'
      : `is ${target.kind === 'value' ? 'a value' : 'an input'}, which nothing sets`;
  const variables = [...scope.names].flatMap(([known, { kind }]) => (kind === 'variable' ? [known] : []));
  throw new ExpressionError(`"${name}" ${what}${didYouMean(name, variables)}`, at);
}

/** Every name in an expression, in order, words included. */
export function* namesIn(expression: Expression): Generator<string> {
  switch (expression.kind) {
    case 'number':
      return;
    case 'name':
      yield expression.name;
      return;
    case 'phase':
      yield expression.timer;
      return;
    case 'unary':
      yield* namesIn(expression.of);
      return;
    case 'binary':
      yield* namesIn(expression.left);
      yield* namesIn(expression.right);
      return;
    case 'choice':
      yield* namesIn(expression.condition);
      yield* namesIn(expression.then);
      yield* namesIn(expression.otherwise);
  }
}
