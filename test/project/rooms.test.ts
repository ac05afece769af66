import { describe, expect, it } from 'vitest';
import { importsOf, importTarget, projectFiles, readProjectFile } from './files.ts';

/** Rooms, and the rooms (or single files) that each may import from. What is not listed is forbidden. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  spec: ['spec'],
  wire: ['wire', 'spec'],
  oracle: ['oracle', 'spec', 'wire'],
  adapters: ['adapters', 'wire', 'spec'],
  suites: ['suites', 'spec', 'wire', 'oracle', 'adapters'],
  report: ['report'],
  cli: ['cli', 'spec', 'wire', 'oracle', 'adapters', 'suites', 'report'],
};

/** What a target must not match although its room is allowed. */
const forbidden: readonly { from: RegExp; target: RegExp; why: string }[] = [
  {
    from: /^adapters\//,
    target: /^spec\/(machines|statements|schema|mutants)/,
    why: 'adapters must not know the rules: they would agree with the oracle for the wrong reason',
  },
  {
    from: /^suites\//,
    target: /^adapters\/(reference|rxe)\/(?!index\.ts$|peer)/,
    why: 'suites drive devices through the interface of adapters',
  },
];

interface Import {
  from: string;
  target: string;
}

function sources(): string[] {
  return projectFiles().filter((path) => path.endsWith('.ts') && (path.split('/')[0] ?? '') in mayImport);
}

function roomImports(): Import[] {
  return sources().flatMap((from) =>
    importsOf(readProjectFile(from))
      .map((specifier) => importTarget(from, specifier))
      .filter((target) => target !== undefined)
      // The results' types are the report room's contract with those who fill them.
      .filter((target) => target !== 'report/results.ts')
      .map((target) => ({ from, target })),
  );
}

const room = (path: string): string => path.split('/')[0] ?? '';

describe('rooms', () => {
  it('finds the imports it is about', () => {
    expect(sources().length).toBeGreaterThan(20);
    expect(roomImports()).toContainEqual({ from: 'adapters/adapter.ts', target: 'spec/verbs.ts' });
    expect(
      importsOf("import type { A } from '../a.ts';\nexport * from './b.ts';\nawait import('./c.ts');"),
    ).toEqual(['../a.ts', './b.ts', './c.ts']);
  });

  it('import only from the rooms that they may', () => {
    const wrong = roomImports().filter(({ from, target }) => !mayImport[room(from)]?.includes(room(target)));
    expect(wrong).toEqual([]);
  });

  it.each(forbidden)('$why', ({ from, target }) => {
    expect(roomImports().filter((i) => from.test(i.from) && target.test(i.target))).toEqual([]);
  });

  it('the reference NIC and the rxe adapter load no rule, by import or by path', () => {
    const wrong = sources()
      .filter((path) => path.startsWith('adapters/'))
      .filter((path) =>
        /loadSpecYaml\(|['"`](?:\.\.\/)*(?:(?:spec\/)?rules|spec\/mutants)\/|['"](?:rules|mutants)['"]/.test(
          readProjectFile(path),
        ),
      );
    expect(wrong).toEqual([]);
  });
});
