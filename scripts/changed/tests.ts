import { posix } from 'node:path';

/** Verdicts on recorded traces: seconds, and few mistakes of the judge get past it. */
const net = 'test/net/hold.test.ts';

/** Tests of a page or of the tree, whatever changed there. */
const pages = ['test/docs/pages.test.ts', 'test/project/readme.test.ts'];

/** The folder of `test/` that mirrors a source, or the nearest one above it. */
function mirror(path: string, tests: readonly string[]): string[] {
  const named = `test/${path.replace(/\.[a-z]+$/, '')}.test.ts`;
  if (tests.includes(named)) return [named];
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    const there = tests.filter((test) => posix.dirname(test) === `test/${folder}`);
    if (there.length > 0) return there;
  }
  // what adapters share is tried over a pipe
  return path.startsWith('adapters/') ? tests.filter((test) => test.startsWith('test/stdio/')) : [];
}

/** Tests that a changed file other than a test touches, by where it is; `tests` are those to choose from. */
function testsOf(path: string, tests: readonly string[]): string[] {
  if (path.endsWith('.test.ts')) return []; // it is no more
  // a helper: the tests beside it
  if (path.startsWith('test/')) return tests.filter((test) => posix.dirname(test) === posix.dirname(path));
  if (path.endsWith('.md')) return pages;
  if (path === 'package.json' || path.startsWith('scripts/')) return ['test/library/contents.test.ts'];
  const machine = /^spec\/machines\/([^/]+)\//.exec(path)?.[1];
  if (machine !== undefined) return [...mirror(`oracle/${machine}/x`, tests), 'test/spec/rules.test.ts', net];
  const judges = /^(oracle|suites|wire|spec)\//.test(path);
  return [...mirror(path, tests), ...(judges ? [net] : [])];
}

/**
 * Tests that a change touches, each once; slow ones only where they themselves changed. A test of the tree is among them whenever a
 * source is.
 */
export function testsFor(changed: readonly string[], tests: readonly string[]): string[] {
  const quick = tests.filter((test) => !test.endsWith('.slow.test.ts'));
  const found = new Set(changed.flatMap((path) => (tests.includes(path) ? [path] : testsOf(path, quick))));
  if (changed.some((path) => /^[a-z]+\/.*\.ts$/.test(path))) found.add('test/project/rooms.test.ts');
  return [...found].filter((test) => tests.includes(test)).toSorted();
}
