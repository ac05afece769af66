import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpressionError } from '../../../oracle/compile/expression/ast.ts';
import { evaluate as compiled } from '../../../oracle/compile/evaluate.ts';
import { typeOf } from '../../../oracle/compile/expression/check.ts';
import { expressionText } from '../../../oracle/compile/expression/emit.ts';
import { parseExpression, parseStatement } from '../../../oracle/compile/expression/parse.ts';
import type { Named, Scope } from '../../../oracle/compile/expression/scope.ts';
import { typeName } from '../../../oracle/compile/expression/types.ts';
import type { PlainType } from '../../../oracle/compile/expression/types.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';

const named = (kind: Named['kind'], plain: PlainType, unknown = false): Named => ({
  kind,
  type: { plain, unknown },
});
const scope: Scope = {
  names: new Map<string, Named>([
    ['a', named('variable', 'psn')],
    ['b', named('variable', 'psn')],
    ['n', named('variable', 'int')],
    ['m', named('variable', 'int')],
    ['rate', named('variable', 'number')],
    ['wait', named('variable', 'time')],
    ['on', named('variable', 'flag')],
    ['nak', named('variable', ['none', 'sequence', 'rnr'])],
    ['maybe', named('variable', 'psn', true)],
    ['packet.psn', named('input', 'psn')],
  ]),
  timers: new Set(['ack']),
};

/** Value of an expression; `v` are variables, `s` inputs. */
function evaluate(text: string, v: Record<string, unknown> = {}, s: Record<string, unknown> = {}): unknown {
  const expression = parseExpression(text);
  typeOf(expression, scope);
  const read = compiled(`return (s, v) => ${expressionText(expression, scope)};`) as (
    s: object,
    v: object,
  ) => unknown;
  return read(s, v);
}

const psn = fc.nat(0xffffff);

describe('expressions', () => {
  test.each<[string, unknown]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['2 ^ 3 * 2', 16],
    ['2 ^ 3 ^ 2', 64],
    ['- 2 + 5', 3],
    ['4.096 us * 2 ^ 3', 32_768],
    ['1 ms + 5 us', 1_005_000],
    ['min(3, max(1, 2))', 2],
    ['packetsOf(0, 1024)', 1],
    ['packetsOf(1024, 1024)', 1],
    ['packetsOf(1025, 1024)', 2],
    ['packetsOf(1025, 0)', 1],
    ['round 2.6', 3],
    ['if 1 < 2 then 3 else 4', 3],
    ['1 < 2 and not 2 < 1', true],
    ['1 = 2 or 2 = 2 and 1 = 2', false],
    ['not 1 = 2', true],
    ['true', true],
  ])('%s is %s', (text, value) => {
    expect(evaluate(text)).toBe(value);
  });

  test('PSNs are added and compared modulo 2^24', () => {
    fc.assert(
      fc.property(psn, psn, fc.integer({ min: -70_000, max: 70_000 }), (a, b, n) => {
        expect(evaluate('a + n', { a, n })).toBe(psnAdd(a, n));
        expect(evaluate('a - n', { a, n })).toBe(psnAdd(a, -n));
        expect(evaluate('a - b', { a, b })).toBe(psnDiff(a, b));
        expect(evaluate('a behind b', { a, b })).toBe(psnDiff(a, b) < 0);
        expect(evaluate('a ahead b', { a, b })).toBe(psnDiff(a, b) > 0);
        expect(evaluate('packet.psn = a', { a }, { packet: { psn: b } })).toBe(a === b);
      }),
    );
  });

  test('words are those of the enumeration that they are held against', () => {
    expect(evaluate('nak = rnr', { nak: 'rnr' })).toBe(true);
    expect(evaluate('rnr != nak', { nak: 'rnr' })).toBe(false);
    expect(evaluate('if on then none else nak', { nak: 'rnr', on: true })).toBe('none');
  });

  test.each<[string, string]>([
    ['a - b', 'int'],
    ['a + n', 'psn'],
    ['n / m', 'number'],
    ['n * wait', 'time'],
    ['rate * n', 'number'],
    ['nak', 'one of none, sequence, rnr'],
    ['maybe + n', 'psn or unknown'],
    ['known maybe', 'flag'],
    ['known maybe and maybe = a', 'flag'],
    ['maybe = a and known maybe', 'flag or unknown'],
    ['not known maybe or on or maybe = a', 'flag'],
    ['known maybe or maybe = a', 'flag or unknown'],
    ['if known maybe then maybe else a', 'psn'],
    ['if not known maybe then a else maybe', 'psn'],
    ['if known maybe then a else maybe', 'psn or unknown'],
  ])('the type of %s is %s', (text, name) => {
    expect(typeName(typeOf(parseExpression(text), scope))).toBe(name);
  });

  test.each<[string, string, number]>([
    ['n +', 'a value is missing at the end', 3],
    ['n + )', 'a value is missing before ")"', 4],
    ['(n', '")" is missing at the end', 2],
    ['n m', '"m" is too much', 2],
    ['n ; m', 'unexpected character ";"', 2],
    ['if on then 1', '"else" is missing at the end', 12],
    ['n + a', 'int + psn means nothing', 2],
    ['a * 2', 'psn * int means nothing', 2],
    ['a < b', 'psn < psn means nothing', 2],
    ['n behind m', 'int behind int means nothing', 2],
    ['nak < rnr', 'one of none, sequence, rnr < one of rnr means nothing', 4],
    ['nak = 1', 'int, where one of none, sequence, rnr is needed', 6],
    ['nak = rrn', 'unknown name "rrn"; did you mean "rnr"?', 6],
    ['n = pakcet.psn', 'unknown name "pakcet.psn"; did you mean "packet.psn"?', 4],
    ['n and on', 'int, where flag is needed', 0],
    ['known n', '"known" asks for a name that may be unknown', 0],
    ['ak early', 'unknown timer "ak"; did you mean "ack"?', 0],
    ['- nak', 'a number is needed, not one of none, sequence, rnr', 2],
  ])('%s: %s', (text, message, at) => {
    let caught: unknown;
    try {
      typeOf(parseExpression(text), scope);
    } catch (thrown) {
      caught = thrown;
    }
    expect(caught).toBeInstanceOf(ExpressionError);
    expect(caught).toMatchObject({ message, at });
  });

  test('statements', () => {
    expect(parseStatement('a := b + 1')).toMatchObject({ kind: 'assign', variable: 'a' });
    expect(parseStatement('may a := b')).toMatchObject({ kind: 'assign', variable: 'a', may: true });
    expect(parseStatement('start ack')).toEqual({ kind: 'timer', action: 'start', timer: 'ack', at: 0 });
    expect(() => parseStatement('a = b')).toThrow('":=" is missing before "="');
    expect(() => parseStatement('may start ack')).toThrow('the name of a variable is missing before "start"');
    expect(() => parseStatement('start')).toThrow('the name of a timer is missing');
    expect(() => parseStatement('max := 1')).toThrow('the name of a variable is missing before "max"');
  });

  test('no text makes the parser do anything but parse, or refuse', () => {
    const words = [
      'a',
      'n',
      '1',
      '(',
      ')',
      '+',
      '-',
      'and',
      'not',
      'if',
      'then',
      'else',
      ':=',
      'min',
      ',',
      'known',
      ' us',
      '"',
      '\\',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (parts) => {
        const parse = (): unknown => {
          try {
            return parseExpression(parts.join(' ')).kind;
          } catch (thrown) {
            return thrown;
          }
        };
        expect(parse()).toSatisfy((made) => typeof made === 'string' || made instanceof ExpressionError);
      }),
    );
  });
});
