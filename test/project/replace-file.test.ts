import { closeSync, openSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { replaceFile } from '../../scripts/replace-file.ts';
import { temporaryFolder } from '../cli/command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

describe('a file of the build', () => {
  const path = join(folder.path, 'dist', 'main.js');

  it('takes the place of the former one, which who has begun to read it keeps whole', () => {
    replaceFile(path, Buffer.from('former'));
    writeFileSync(path, 'former', { mode: 0o755 });
    const reader = openSync(path, 'r');
    const { mode } = statSync(path);
    replaceFile(path, Buffer.from('next'));
    expect(readFileSync(reader, 'utf8')).toBe('former');
    closeSync(reader);
    expect(readFileSync(path, 'utf8')).toBe('next');
    expect(statSync(path).mode).toBe(mode);
    expect(readdirSync(join(folder.path, 'dist'))).toEqual(['main.js']);
  });

  it('stays where it says the same', () => {
    const { ino } = statSync(path);
    replaceFile(path, Buffer.from('next'));
    expect(statSync(path).ino).toBe(ino);
  });
});
