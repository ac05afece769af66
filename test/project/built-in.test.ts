import { describe, expect, it } from 'vitest';
import { loadRules } from '../../oracle/compile/load.ts';
import { projectFiles, readProjectFile } from './files.ts';

const files = projectFiles();
const places = [...loadRules().machines.values()].flatMap(({ draft }) =>
  Object.entries(draft.builtIns).map(([place, words]) => ({ machine: draft.id, place, words })),
);

describe('what a machine has built in', () => {
  it.each(places)('is in oracle/$place, for $machine', ({ place, words }) => {
    const sources = files.filter(
      (path) => path === `oracle/${place}.ts` || path.startsWith(`oracle/${place}/`),
    );
    expect(sources).not.toEqual([]);
    const named = new Set(
      sources.flatMap((path) => readProjectFile(path).match(/[A-Za-z][A-Za-z0-9]*/g) ?? []),
    );
    const all = [...words.facts, ...words.outcomes, ...words.reads, ...words.writes];
    expect(all.filter((name) => !named.has(name))).toEqual([]);
  });
});
