import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ladderSvg } from '../../scripts/picture/ladder-svg.ts';
import type { RunResult } from '../../report/results.ts';
import { runHere, temporaryFolder } from '../cli/command-line.ts';
import { root } from '../project/files.ts';

it('the picture of README is the failure that README shows', async () => {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, 'run.json');
    const device = join(root, 'examples', 'planted-fault.ts');
    const rule = ['--rule', 'rc-request-ahead', '--runs', '60'];
    const { code } = await runHere(['--adapter', device, ...rule, '--reporter', `json=${file}`], {
      cwd: folder.path,
    });
    expect(code).toBe(1);
    const [failure] = (JSON.parse(readFileSync(file, 'utf8')) as RunResult).failures;
    const svg = ladderSvg(failure?.ladder ?? [], { alone: true });
    await expect(`${svg}\n`).toMatchFileSnapshot(join(root, 'docs', 'images', 'ladder.svg'));
  } finally {
    folder.remove();
  }
});
