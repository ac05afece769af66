import { describe, expect, it } from 'vitest';
import { properties } from '../../suites/index.ts';
import { projectFiles } from './files.ts';

const files = projectFiles();

function foldersOf(place: string): string[] {
  const inside = files
    .filter((path) => path.startsWith(`${place}/`))
    .map((path) => path.slice(place.length + 1));
  return [...new Set(inside.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''))];
}

const machines = foldersOf('spec/machines');

describe('a machine of the spec', () => {
  it.each<[string, readonly string[]]>([
    [
      'suites',
      [
        'arbitraries',
        'campaign',
        'case',
        'corners',
        'corpus',
        'derived',
        'driver',
        'flips',
        'midway',
        'lists',
        'mutants',
        'reproducer',
        'runner',
        'trace-file',
      ],
    ],
    ['adapters/reference', ['mutants', 'sound']],
    ['test/oracle', ['capture', 'compile', 'judge', 'trace']],
    ['test/adapters/reference', []],
    [
      'test/suites',
      [
        'campaign',
        'case',
        'corpus',
        'derived',
        'driver',
        'flips',
        'mutants',
        'reproducer',
        'runner',
        'trace-file',
      ],
    ],
  ])('has its own name in %s, where other folders are for all of them', (place, others) => {
    const folders = foldersOf(place);
    expect(folders).toEqual(expect.arrayContaining([...others]));
    expect(folders.filter((name) => !others.includes(name) && !machines.includes(name))).toEqual([]);
  });

  it('has tests of its rules in the oracle', () => {
    expect(foldersOf('test/oracle')).toEqual(expect.arrayContaining(machines));
  });
});

describe('the suites that --suite takes', () => {
  it('keep their names, whatever the folders are called', () => {
    expect([...new Set(properties.map(({ suite }) => suite))]).toEqual([
      'rc-responder',
      'rc-requester',
      'parameters',
      'effects',
      'uc',
      'ud',
      'verbs',
      'ooo',
      'congestion',
      'device',
    ]);
  });
});
