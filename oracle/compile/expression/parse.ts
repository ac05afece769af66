import { ExpressionError, timerPhases } from './ast.ts';
import type { BinaryOperator, Expression, Statement, TimerPhase } from './ast.ts';
import { tokensOf } from './token.ts';
import type { Token } from './token.ts';

/** Nanoseconds by the units that a number may have. */
export const units: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Words that name nothing. */
const reserved: ReadonlySet<string> = new Set(
  (
    'and or not known round ceil min max packetsOf behind ahead if then else may start stop expire reset but forever true false ' +
    Object.keys(units).join(' ')
  ).split(' '),
);

// Weakest first; operators of one line bind alike, from left to right.
const levels: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  ['=', '!=', '<', '<=', '>', '>=', 'behind', 'ahead'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

const isPhase = (word: string): word is TimerPhase => (timerPhases as readonly string[]).includes(word);

/** Offsets in a text: of the first character, and behind the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const spans = new WeakMap<Expression, Span>();

/** The place of a parsed expression in its text, without parentheses around it. */
export function spanOf(expression: Expression): Span {
  return spans.get(expression) ?? { from: expression.at, to: expression.at };
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  /** Notes where an expression stands that has just been read. */
  #noted(from: number, expression: Expression): Expression {
    const last = this.#tokens[this.#next - 1];
    spans.set(expression, { from, to: last === undefined ? from : last.at + last.text.length });
    return expression;
  }

  #take(): Token {
    const token = this.#token;
    this.#next++;
    return token;
  }

  #is(text: string): boolean {
    return this.#token.kind !== 'end' && this.#token.text === text;
  }

  #expect(text: string): void {
    const { text: found, at, kind } = this.#token;
    if (!this.#is(text))
      throw new ExpressionError(
        `"${text}" is missing ${kind === 'end' ? 'at the end' : `before "${found}"`}`,
        at,
      );
    this.#next++;
  }

  #name(what: string): Token {
    const token = this.#take();
    if (token.kind !== 'name' || reserved.has(token.text))
      throw new ExpressionError(
        `${what} is missing${token.text === '' ? '' : ` before "${token.text}"`}`,
        token.at,
      );
    return token;
  }

  #operator(level: number): BinaryOperator | undefined {
    const { kind, text } = this.#token;
    return kind === 'end' ? undefined : levels[level]?.find((operator) => operator === text);
  }

  expression(level = 0): Expression {
    if (level === levels.length) return this.#unary();
    const from = this.#token.at;
    let left = this.expression(level + 1);
    for (let operator = this.#operator(level); operator !== undefined; operator = this.#operator(level)) {
      const { at } = this.#take();
      const right = this.expression(level + 1);
      left = this.#noted(from, { kind: 'binary', operator, left, right, at });
    }
    return left;
  }

  #unary(): Expression {
    const { at, text } = this.#token;
    if (text === 'not') {
      this.#next++;
      // binds like a comparison, so that `not a = b` is what it looks like
      const of = this.expression(2);
      return this.#noted(at, { kind: 'unary', operator: 'not', of, at });
    }
    if (text === '-' || text === 'known' || text === 'round' || text === 'ceil') {
      this.#next++;
      const of = this.#unary();
      return this.#noted(at, { kind: 'unary', operator: text, of, at });
    }
    return this.#primary();
  }

  #primary(): Expression {
    const token = this.#take();
    const { at, kind, text } = token;
    if (kind === 'number') {
      const unit = this.#token.kind === 'name' && this.#token.text in units ? this.#take().text : undefined;
      const value = Number(text);
      return this.#noted(at, { kind: 'number', value, ...(unit !== undefined && { unit }), at });
    }
    if (text === '(') {
      const inner = this.expression();
      this.#expect(')');
      return inner;
    }
    if (text === 'min' || text === 'max' || text === 'packetsOf') {
      this.#expect('(');
      const left = this.expression();
      this.#expect(',');
      const right = this.expression();
      this.#expect(')');
      return this.#noted(at, { kind: 'binary', operator: text, left, right, at });
    }
    if (text === 'if') {
      const condition = this.expression();
      this.#expect('then');
      const then = this.expression();
      this.#expect('else');
      const otherwise = this.expression();
      return this.#noted(at, { kind: 'choice', condition, then, otherwise, at });
    }
    if (text === 'true' || text === 'false') return this.#noted(at, { kind: 'name', name: text, at });
    if (text === 'forever')
      return this.#noted(at, { kind: 'number', value: Number.POSITIVE_INFINITY, unit: 'ns', at });
    if (kind !== 'name' || reserved.has(text))
      throw new ExpressionError(
        kind === 'end' ? 'a value is missing at the end' : `a value is missing before "${text}"`,
        at,
      );
    const { kind: after, text: phase } = this.#token;
    if (after === 'name' && isPhase(phase)) {
      this.#next++;
      return this.#noted(at, { kind: 'phase', timer: text, phase, at });
    }
    return this.#noted(at, { kind: 'name', name: text, at });
  }

  statement(): Statement {
    const { at, text } = this.#token;
    if (text === 'start' || text === 'stop' || text === 'expire') {
      this.#next++;
      return { kind: 'timer', action: text, timer: this.#name('the name of a timer').text, at };
    }
    if (text === 'reset') {
      this.#next++;
      return { kind: 'reset', but: this.#spared(), at };
    }
    const may = text === 'may';
    if (may) this.#next++;
    const variable = this.#name('the name of a variable').text;
    this.#expect(':=');
    return { kind: 'assign', variable, value: this.expression(), may, at };
  }

  /** The variables behind `reset but`. */
  #spared(): string[] {
    const names: string[] = [];
    for (let between = 'but'; this.#token.text === between; between = ',') {
      this.#next++;
      names.push(this.#name('the name of a variable').text);
    }
    return names;
  }

  end(): void {
    const { kind, text, at } = this.#token;
    if (kind !== 'end') throw new ExpressionError(`"${text}" is too much`, at);
  }
}

// a text is parsed where it is checked, where its meaning is made, and for each page and flip
const parsed = new Map<string, Expression>();

/** Parses an expression; ExpressionError with the place of the first mistake. */
export function parseExpression(text: string): Expression {
  let expression = parsed.get(text);
  if (expression === undefined) {
    const parser = new Parser(text);
    expression = parser.expression();
    parser.end();
    parsed.set(text, expression);
  }
  return expression;
}

/**
 * Parses a statement: `VARIABLE := EXPRESSION`, `may VARIABLE := EXPRESSION`, `start TIMER`, `stop TIMER`, `expire TIMER`, `reset` or
 * `reset but VARIABLE, VARIABLE`. ExpressionError as above.
 */
export function parseStatement(text: string): Statement {
  const parser = new Parser(text);
  const statement = parser.statement();
  parser.end();
  return statement;
}
