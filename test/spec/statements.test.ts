import { describe, expect, test } from 'vitest';
import { loadStatements, statementIds, statementsOf } from '../../oracle/compile/statements.ts';
import { small } from '../oracle/compile/fixture.ts';

describe('statements', () => {
  const statements = loadStatements();

  test('all 727 are sound, and no id is used twice', () => {
    expect(statements).toHaveLength(727);
    expect(new Set(statements.map(({ id }) => id)).size).toBe(727);
  });

  test('the scan for ids finds what the parser finds', () => {
    expect([...statementIds()]).toEqual(statements.map(({ id }) => id));
  });

  test('each can be had alone, and several in their order', () => {
    for (const one of statements.filter((_, i) => i % 20 === 0))
      expect(statementsOf([one.id])).toEqual([one]);
    const some = statements.filter((_, i) => i % 50 === 7);
    expect(statementsOf(some.map(({ id }) => id).toReversed())).toEqual(some);
    expect(statementsOf(['none-such'])).toEqual([]);
  });

  test('nothing is both observable and not', () => {
    for (const { id, observable } of statements) {
      expect(observable.includes('none') && observable.length > 1, id).toBe(false);
    }
  });

  test('a statement that is not sound is named', () => {
    expect(() => loadStatements({ directory: small })).toThrow(
      /small\/statements\/basics\.yaml: statement one-nak: /,
    );
    const files = { 'statements/basics.yaml': 'id: one-nak\n' };
    expect(() => loadStatements({ directory: small, files })).toThrow(/basics\.yaml: not a list/);
  });
});
