import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../project/files.ts';
import { interrupted, run, temporaryFolder } from '../cli/command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const library = pathToFileURL(join(root, 'dist', 'adapters', 'index.js')).href;

/** A module with a device that is the reference NIC but for what `change` does with it. */
function device(name: string, change: string): string {
  const file = join(folder.path, `${name}.mjs`);
  writeFileSync(
    file,
    `import { referenceAdapter } from '${library}';
    const device = referenceAdapter({ mutant: 'nak-psn-of-request' });
    let cases = 0;
    export default {
      name: '${name}',
      describe: () => device.describe(),
      open: async (options) => {
        cases++;
        ${change}
        return device.open(options);
      },
    };`,
  );
  return file;
}

describe('a run on a device that is broken', () => {
  const broken = `stdio:${process.execPath} ${join(root, 'test/stdio/peer.js')}`;

  it('says why at the end of the report and on stderr, without what a terminal would obey', async () => {
    const pids = join(folder.path, 'pids');
    const args = ['--suite', 'ud', '--runs', '60', '--adapter', `${broken} 'escape codes' ${pids}`];
    const { code, stdout, stderr } = await run(args, { cwd: folder.path });
    expect(code).toBe(70);
    expect(stdout).toMatch(/\n1 error: ud\/[^]*alloc_pd: ␛\]0;mine␇␛\[2J[^\n]*\n {9}[^\n]*\n$/);
    expect(stderr).toMatch(/^rdma-conform: ud\/.*alloc_pd: ␛/m);
    // oxlint-disable-next-line no-control-regex -- escapes are what is looked for
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u009b]/);
  });
});

describe('a run that cannot come to its end', () => {
  it.each([
    ['open', 'if (cases === 41) return new Promise(() => undefined);'],
    [
      'a call',
      `const bench = await device.open(options);
      if (cases === 41) bench.verbs.create_cq = () => new Promise(() => undefined);
      return bench;`,
    ],
  ])('since %s never returns, and nothing else is under way: report, 70', async (what, change) => {
    const args = ['--rule', 'rc-request-ahead', '--adapter', device(what.replace(' ', '-'), change)];
    const { code, stdout, stderr } = await run(args, { cwd: folder.path });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^the device waits for something that never comes: reporting what was found/m);
    expect(stdout).toMatch(/the device waits for something that never comes/);
    expect(stdout).toMatch(/rc-request-ahead/);
  });

  it.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)(
    'since somebody sends %s: report, 130',
    async (signal) => {
      const options = { cwd: folder.path, signal };
      const { code, stdout } = await interrupted(['--runs', '1000000', '--suite', 'ud'], 500, options);
      expect(code).toBe(130);
      expect(stdout).toMatch(/Interrupted[^]*\nRules {2}/);
    },
  );
});
