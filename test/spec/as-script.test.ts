import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/command-line.ts';
import { root } from '../project/files.ts';

const folder = temporaryFolder();
const rules = join(folder.path, 'spec/machines/rc-responder/psn.yaml');
const mutants = join(folder.path, 'spec/mutants/rc-responder/sequence.yaml');

/** A copy of the sources, as somebody has it who adds a rule. */
beforeAll(() => {
  for (const room of ['spec', 'oracle', 'suites', 'cli', 'adapters', 'report', 'wire', 'package.json'])
    cpSync(join(root, room), join(folder.path, room), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
});
afterAll(() => {
  folder.remove();
});

function script(path: string) {
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', path], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  return { status, lines: stderr.trim().split('\n') };
}

describe('a script that finds a mistake in the YAML', () => {
  it.each([
    ['oracle/compile/generate.ts', rules, 'level: must', 'level: mist', /psn\.yaml:\d+:\d+: "mist" is not/],
    ['oracle/compile/snapshot.ts', rules, 'level: must', 'level: mist', /psn\.yaml:\d+:\d+: "mist" is not/],
    ['suites/mutants/generate.ts', mutants, '  says:', '  sayz:', /sequence\.yaml:\d+:\d+: .*sayz/],
    [
      'cli/coverage/snapshot.ts',
      mutants,
      'rules: [rc-',
      'rules: [rx-',
      /sequence\.yaml:\d+:\d+: unknown rule/,
    ],
  ])('%s prints it and nothing else', (path, file, word, slip, told) => {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(word, slip));
    const { status, lines } = script(path);
    writeFileSync(file, text);
    expect(status).toBe(78);
    expect(lines.slice(1).filter((line) => !/^(?:spec\/|[ ]{2,4}\S)/.test(line))).toEqual([]);
    expect(lines.join('\n')).toMatch(told);
    expect(lines.join('\n')).not.toMatch(/^ *at /m);
  });
});
