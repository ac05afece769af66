import type { Expression, Statement } from './ast.ts';
import { forgets, namesIn, typeOf } from './check.ts';
import { units } from './parse.ts';
import type { Scope } from './scope.ts';
import { isWord } from './types.ts';
import type { ValueType } from './types.ts';

/**
 * JavaScript for expressions that `check.ts` has accepted: names come from the machine's own declarations, so that nothing
 * else can get into the text. `v` holds the variables, `s` the inputs, `c` the values of the machine, and `k` stands for the
 * one value of a variable that is kept with every value it may have.
 */
const distance = (a: string, b: string): string => `((${a} - ${b}) << 8 >> 8)`;

function access(object: string, name: string): string {
  return name.split('.').reduce((text, part) => `${text}[${JSON.stringify(part)}]`, object);
}

function nameText(name: string, scope: Scope): string {
  if (name === 'true' || name === 'false') return name;
  const found = scope.names.get(name);
  if (found === undefined) return JSON.stringify(name);
  if (found.type.upTo !== undefined && found.kind === 'variable') return 'k';
  if (found.kind === 'variable') return access('v', name);
  return found.kind === 'value' ? `${access('c', name)}(s, v)` : access('s', name);
}

/** Text that is true where a name that may be unknown is known. */
function knownText(name: string, scope: Scope): string {
  const type = scope.names.get(name)?.type;
  const text = nameText(name, scope);
  return type !== undefined && (isWord(type) || type.plain === 'flag')
    ? `${text} !== undefined`
    : `${text} >= 0`;
}

export function expressionText(expression: Expression, scope: Scope): string {
  const text = (inner: Expression): string => expressionText(inner, scope);
  switch (expression.kind) {
    case 'number':
      return String(expression.value * (expression.unit === undefined ? 1 : (units[expression.unit] ?? 1)));
    case 'name':
      return nameText(expression.name, scope);
    case 'phase':
      return `(${access('c', `${expression.timer} phase`)}(s, v) === ${JSON.stringify(expression.phase)})`;
    case 'choice':
      return `(${text(expression.condition)} ? ${text(expression.then)} : ${text(expression.otherwise)})`;
    case 'unary':
      switch (expression.operator) {
        case 'not':
          return `!${text(expression.of)}`;
        case '-':
          return `(-${text(expression.of)})`;
        case 'round':
          return `Math.round(${text(expression.of)})`;
        case 'known':
          return `(${[...namesIn(expression.of)].map((name) => knownText(name, scope)).join(' && ')})`;
      }
    // eslint-disable-next-line no-fallthrough -- every operator has returned
    case 'binary':
      return binaryText(expression, scope);
  }
}

function binaryText({ operator, left, right }: Expression & { kind: 'binary' }, scope: Scope): string {
  const a = expressionText(left, scope);
  const b = expressionText(right, scope);
  // types were checked, so that only words of an enumeration are left without a type of their own
  const circular =
    left.kind === 'name' && !scope.names.has(left.name) ? false : typeOf(left, scope).plain === 'psn';
  switch (operator) {
    case '=':
      return `(${a} === ${b})`;
    case '!=':
      return `(${a} !== ${b})`;
    case 'behind':
      return `(${distance(a, b)} < 0)`;
    case 'ahead':
      return `(${distance(a, b)} > 0)`;
    case 'and':
      return `(${a} && ${b})`;
    case 'or':
      return `(${a} || ${b})`;
    case 'min':
    case 'max':
      return `Math.${operator}(${a}, ${b})`;
    case '^':
      return `(${a} ** ${b})`;
    case '+':
    case '-': {
      if (!circular) return `(${a} ${operator} ${b})`;
      const between = operator === '-' && typeOf(right, scope).plain === 'psn';
      return between ? distance(a, b) : `((${a} ${operator} ${b}) & 0xffffff)`;
    }
    case '*':
    case '/':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `(${a} ${operator} ${b})`;
  }
}

/** Names that must be known for the expression to have a value; those that `known` asks after are dealt with there. */
export function neededIn(expression: Expression, scope: Scope): string[] {
  const asked = new Set<string>();
  const note = (inner: Expression): void => {
    if (inner.kind === 'unary' && inner.operator === 'known')
      for (const name of namesIn(inner.of)) asked.add(name);
    if (inner.kind === 'unary') note(inner.of);
    else if (inner.kind === 'binary') [inner.left, inner.right].forEach(note);
    else if (inner.kind === 'choice') [inner.condition, inner.then, inner.otherwise].forEach(note);
  };
  note(expression);
  const names = new Set(namesIn(expression));
  return [...names].filter((name) => scope.names.get(name)?.type.unknown === true && !asked.has(name));
}

/** Condition under which all these names are known; undefined where all always are. */
export function allKnown(names: readonly string[], scope: Scope): string | undefined {
  return names.length === 0 ? undefined : names.map((name) => knownText(name, scope)).join(' && ');
}

/** The variable in an expression that is kept with every value it may have. */
export function keptIn(expression: Expression, scope: Scope): string | undefined {
  return [...namesIn(expression)].find((name) => {
    const found = scope.names.get(name);
    return found?.kind === 'variable' && found.type.upTo !== undefined;
  });
}

export const unknownText = (type: ValueType): string =>
  isWord(type) || type.plain === 'flag' ? 'undefined' : '-1';

export function statementText(statement: Statement, scope: Scope): string {
  if (statement.kind === 'reset') return 'start(s, v);';
  if (statement.kind === 'timer') {
    const earliest = access('v', `${statement.timer}Earliest`);
    const latest = access('v', `${statement.timer}Latest`);
    if (statement.action === 'stop') return `${earliest} = ${latest} = -1;`;
    // what comes later did not begin earlier, however little is known of when either did
    const before =
      statement.action === 'start'
        ? earliest
        : `${earliest} + ${access('c', `${statement.timer} from`)}(s, v)`;
    return `${earliest} = Math.max(${before}, s.earliest); ${latest} = s.now;`;
  }
  const { variable, value } = statement;
  const type = scope.names.get(variable)?.type;
  const target = access('v', variable);
  if (type !== undefined && type.upTo === undefined && forgets(statement, type))
    return `${target} = ${unknownText(type)};`;
  const text = expressionText(value, scope);
  if (type?.upTo !== undefined) {
    const from = keptIn(value, scope);
    if (from === undefined) return `${target} = 1 << ${text};`;
    return `${target} = every(${access('v', from)}, ${type.upTo}, (k) => ${text});`;
  }
  const known = allKnown(neededIn(value, scope), scope);
  // a copy of what may be unknown is unknown alike
  if (known === undefined || value.kind === 'name' || type === undefined) return `${target} = ${text};`;
  return `${target} = ${known} ? ${text} : ${unknownText(type)};`;
}
