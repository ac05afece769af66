import { describe, expect, it } from 'vitest';
import { importsBetween, specifiersOf, stronglyConnected } from './imports.ts';

/** Rooms whose files import one another in no circle. */
const rooms = ['spec/', 'wire/', 'adapters/', 'report/', 'oracle/', 'suites/', 'cli/'];

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

  it('are looked for in every form of import', () => {
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
    expect(specifiersOf(source)).toEqual([
      './types.ts',
      './more-types.ts',
      './mixed.ts',
      './all.ts',
      './effect.ts',
      './again.ts',
      './types-again.ts',
    ]);
  });

  it.each(rooms)('none in %s', (room) => {
    const imports = importsBetween(room);
    expect(imports.length).toBeGreaterThan(0);
    expect(stronglyConnected(imports)).toEqual([]);
  });
});
