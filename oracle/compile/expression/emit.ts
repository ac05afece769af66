import type { Expression, Statement } from './ast.ts';
import { namesIn, typeOf } from './check.ts';
import { units } from './parse.ts';
import type { Scope } from './scope.ts';
import { isNumber } from './types.ts';
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
  if (name === 'unknown') return 'undefined';
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
  return type !== undefined && !isNumber(type) ? `${text} !== undefined` : `${text} >= 0`;
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
        case 'ceil':
          return `Math.ceil(${text(expression.of)})`;
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
    case 'packetsOf':
      return `packetsOf(${a}, ${b})`;
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

/**
 * Condition under which the expression has a value; undefined where it always has. Of a choice only the part that is taken
 * must be known; what `known` asks after is dealt with there.
 */
export function knownWhere(expression: Expression, scope: Scope): string | undefined {
  const asked = new Set<string>();
  const note = (inner: Expression): void => {
    if (inner.kind === 'unary' && inner.operator === 'known')
      for (const name of namesIn(inner.of)) asked.add(name);
    for (const part of partsOf(inner)) note(part);
  };
  note(expression);
  const where = (inner: Expression): string | undefined => {
    if (inner.kind === 'unary' && inner.operator === 'known') return undefined;
    if (inner.kind === 'name') {
      if (inner.name === 'unknown') return 'false';
      const open = scope.names.get(inner.name)?.type.unknown === true && !asked.has(inner.name);
      return open ? knownText(inner.name, scope) : undefined;
    }
    if (inner.kind !== 'choice') return allOf(partsOf(inner).map(where));
    const [then, otherwise] = [where(inner.then), where(inner.otherwise)];
    const condition = where(inner.condition);
    if (then === undefined && otherwise === undefined) return condition;
    const taken = `(${expressionText(inner.condition, scope)} ? ${then ?? 'true'} : ${otherwise ?? 'true'})`;
    return allOf([condition, taken]);
  };
  return where(expression);
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'unary') return [expression.of];
  if (expression.kind === 'binary') return [expression.left, expression.right];
  return expression.kind === 'choice' ? [expression.condition, expression.then, expression.otherwise] : [];
}

/** Conditions that must all hold, each once; undefined where there are none. */
export function allOf(conditions: readonly (string | undefined)[]): string | undefined {
  const found = new Set(conditions.filter((condition) => condition !== undefined));
  return found.size === 0 ? undefined : [...found].join(' && ');
}

/** The variable in an expression that is kept with every value it may have. */
export function keptIn(expression: Expression, scope: Scope): string | undefined {
  return [...namesIn(expression)].find((name) => {
    const found = scope.names.get(name);
    return found?.kind === 'variable' && found.type.upTo !== undefined;
  });
}

/** How a variable of the type holds that it is unknown. */
export const unknownText = (type: ValueType): string => (isNumber(type) ? '-1' : 'undefined');

function resetText(but: readonly string[]): string {
  if (but.length === 0) return 'start(s, v);';
  const spared = but.map((name) => access('v', name));
  return `{ const spared = [${spared.join(', ')}]; start(s, v); [${spared.join(', ')}] = spared; }`;
}

export function statementText(statement: Statement, scope: Scope): string {
  if (statement.kind === 'reset') return resetText(statement.but);
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
  const text = expressionText(value, scope);
  if (type?.upTo !== undefined) {
    const from = keptIn(value, scope);
    const becomes = statement.may ? '|=' : '=';
    if (from === undefined) return `${target} ${becomes} 1 << ${text};`;
    return `${target} ${becomes} every(${access('v', from)}, ${type.upTo}, (k) => ${text});`;
  }
  const known = knownWhere(value, scope);
  // a copy of a variable that is unknown is unknown alike
  const copied = value.kind === 'name' && scope.names.get(value.name)?.kind === 'variable';
  if (known === undefined || copied || type === undefined) return `${target} = ${text};`;
  return `${target} = ${known} ? ${text} : ${unknownText(type)};`;
}
