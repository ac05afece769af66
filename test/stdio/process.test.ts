import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { root } from '../project/files.ts';

const source = pathToFileURL(join(root, 'adapters', 'stdio', 'process.ts')).href;

/** Ends such a process in a program that has nothing else under way; what that program says and how it ends. */
function ended(command: string, how: string): { status: number | null; stdout: string } {
  const program = `
    import { startPiped } from '${source}';
    const child = startPiped(${JSON.stringify(command)});
    await new Promise((next) => setTimeout(next, 300));
    await child.end('${how}');
    console.log(JSON.stringify(await child.ended));`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    {
      encoding: 'utf8',
    },
  );
  return { status, stdout };
}

describe
  .skipIf(process.platform === 'win32')
  .concurrent('a process that does not end when it is asked', () => {
    it.each([
      ['ignores every signal that can be', "trap '' TERM INT HUP; while :; do sleep 100; done", 'now'],
      ['ignores them, politely asked', "trap '' TERM INT HUP; while :; do sleep 100; done", 'politely'],
      ['is stopped', 'kill -STOP $$; sleep 100', 'now'],
    ])('%s: is killed, and the program goes on', (_, command, how) => {
      expect(ended(command, how)).toEqual({ status: 0, stdout: '{"signal":"SIGKILL"}\n' });
    });
  });
