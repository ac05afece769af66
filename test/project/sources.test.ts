import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, readProjectFile, root } from './files.ts';

const textFile = /\.(ts|js|json|ya?ml|md|sh)$|^LICENSE$|^\.ci\//;
const written = (path: string): boolean =>
  textFile.test(path) && path !== 'package-lock.json' && !path.startsWith('test/fixtures/');

const longest = 400;
const crowded = 22;
// Generated, and lists that are data rather than code.
const mayBeLonger =
  /^spec\/statements\/|^spec\/schema\/|^spec\/flips-(witnesses|deeper)\.json$|^LICENSE$|^docs\/(reference|findings)\/|\/known\.yaml$|^oracle\/[\w-]+\/variables\.ts$/;

describe('sources', () => {
  it(`no file is longer than ${longest} lines`, () => {
    const tooLong = projectFiles()
      .filter((path) => written(path) && !mayBeLonger.test(path))
      .map((path) => ({ path, lines: readProjectFile(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > longest);
    expect(tooLong).toEqual([]);
  });

  it(`no folder holds more than ${crowded} of them`, () => {
    const folders = new Map<string, number>();
    for (const path of projectFiles().filter((file) => file.endsWith('.ts'))) {
      const folder = posix.dirname(path);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
    expect([...folders].filter(([, sources]) => sources > crowded)).toEqual([]);
  });

  it('are written in English, but for the titles of documents', () => {
    const other = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uffef]/u;
    const wrong = projectFiles().filter(
      (path) => path !== 'spec/sources.yaml' && written(path) && other.test(readProjectFile(path)),
    );
    expect(wrong).toEqual([]);
  });

  it('name no path of the machine they were written on', () => {
    const wrong = projectFiles().filter(
      (path) => written(path) && readProjectFile(path).includes(`${root}/`),
    );
    expect(wrong).toEqual([]);
  });

  it('leave no test out and no work for later', () => {
    const wrong = projectFiles()
      .filter((path) => /\.[jt]s$/.test(path) && path !== 'test/project/sources.test.ts')
      .filter((path) => /\b(?:it|test|describe)\.only\b|\bTODO\b|\bFIXME\b/.test(readProjectFile(path)));
    expect(wrong).toEqual([]);
  });
});
