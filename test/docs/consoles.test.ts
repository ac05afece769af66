import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, temporaryFolder } from '../cli/command-line.ts';
import { readProjectFile, root } from '../project/files.ts';
import { shows } from './shown.ts';

/** Pages whose `console` blocks are run, one after the other in one folder. */
const pages = [
  'README.md',
  'docs/commands.md',
  'docs/nic-developer.md',
  'docs/ci.md',
  'docs/fabric-operator.md',
  'docs/complete-captures.md',
  'docs/tutorials/first-finding.md',
];

interface Step {
  command: string;
  /** as the page shows it; `...` stands for any number of lines */
  output: string;
}

/** Commands with their output, in the order of the page. */
function stepsOf(page: string): Step[] {
  const blocks = [...readProjectFile(page).matchAll(/```console\n([^]*?)```/g)];
  return blocks.flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = '', ...lines] = text.split('\n');
        return { command, output: lines.join('\n').trimEnd() };
      })
      // these need a guest, or another program
      .filter(
        ({ command }) => /^(npx rdma-conform|sed -i) /.test(`${command} `) && !/--adapter rxe/.test(command),
      ),
  );
}

/** The words of a command, as a shell has them: quotes keep blanks. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}

describe.each(pages)('%s shows what its commands print', (page) => {
  const folder = temporaryFolder();
  beforeAll(() => {
    for (const name of ['examples', 'test', 'adapters'])
      symlinkSync(join(root, name), join(folder.path, name));
    const [, known] = /```yaml\n(- rule: [^]*?)```/.exec(readProjectFile(page)) ?? [];
    if (known !== undefined) writeFileSync(join(folder.path, 'known.yaml'), known);
  });
  afterAll(() => {
    folder.remove();
  });

  const steps = stepsOf(page);
  it('in at least one place', () => {
    expect(steps.length).toBeGreaterThan(0);
  });

  it.each(steps)('$command', async ({ command, output }) => {
    const [program = '', ...words] = wordsOf(command);
    if (program === 'sed') {
      execFileSync(program, words, { cwd: folder.path });
      return;
    }
    const { stdout } = await runHere(words.slice(1), {
      cwd: folder.path,
    });
    expect(shows(output, stdout), `printed:\n${stdout}\nshown:\n${output}`).toBe(true);
  });
});

describe('a page', () => {
  it('is found wrong where a word, a line or the order differs', () => {
    const printed = 'head\n\nexpected  ACK msn 3\nobserved  ACK msn 4\nRules  11 pass, 1 FAIL\n';
    expect(shows('...\nexpected  ACK msn 3\n...', printed)).toBe(true);
    expect(shows('...\nRules  12 pass, 1 FAIL', printed)).toBe(true);
    expect(shows('...\nexpected  ACK msn 2\n...', printed)).toBe(false);
    expect(shows('...\nobserved  ACK msn 4\nexpected  ACK msn 3\n...', printed)).toBe(false);
    expect(shows('expected  ACK msn 3\n...', printed)).toBe(false);
    expect(shows('...\nRules  11 pass', printed)).toBe(false);
  });
});
