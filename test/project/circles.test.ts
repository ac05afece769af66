import { describe, expect, it } from 'vitest';
import { importsBetween, specifiersOf, stronglyConnected } from './imports.ts';

/** Rooms whose files import one another in no circle, not even for types. */
const withoutTypeCircles = ['spec/', 'wire/', 'adapters/', 'report/', 'oracle/'];
/** Rooms without circles of what is there at run time. */
const withoutCircles = ['suites/', 'cli/', ...withoutTypeCircles];

describe('circles', () => {
  it('are found where there are some', () => {
    const imports = ['ab', 'bc', 'ca', 'cd', 'de', 'ed', 'ff', 'gh'].map(([from = '', target = '']) => ({
      from,
      target,
    }));
    expect(stronglyConnected(imports)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  it('are told from circles of types', () => {
    const source = `import { type A, type B } from './types.ts';
import type { C } from './more-types.ts';
import {
  d,
  type E,
} from './mixed.ts';
import * as f from './all.ts';
import './effect.ts';
export { g } from './again.ts';
export type { H } from './types-again.ts';`;
    expect(specifiersOf(source).map(({ specifier, value }) => [specifier, value])).toEqual([
      ['./types.ts', false],
      ['./more-types.ts', false],
      ['./mixed.ts', true],
      ['./all.ts', true],
      ['./effect.ts', true],
      ['./again.ts', true],
      ['./types-again.ts', false],
    ]);
  });

  it.each(withoutCircles)('none in %s', (room) => {
    const imports = importsBetween(room, 'values');
    expect(imports.length).toBeGreaterThan(0);
    expect(stronglyConnected(imports)).toEqual([]);
  });

  it.each(withoutTypeCircles)('none in %s, types included', (room) => {
    expect(stronglyConnected(importsBetween(room, 'types as well'))).toEqual([]);
  });
});
