import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const faulty = `
  import { referenceAdapter } from 'rdma-conform/adapter';
  export default { ...referenceAdapter({ mutant: 'nak-psn-of-request' }), name: 'faulty' };
`;

describe('an adapter module in a folder where the package is not installed', () => {
  it.concurrent.each(['ts', 'mjs', 'js'])('imports it all the same: .%s', async (ending) => {
    writeFileSync(join(folder.path, `faulty.${ending}`), faulty);
    const args = ['--adapter', `./faulty.${ending}`, '--rule', 'rc-request-ahead', '--runs', '5'];
    const { code, stdout } = await run(args, { cwd: folder.path });
    expect(stdout).toMatch(/FAIL +rc-request-ahead/);
    expect(code).toBe(1);
  });

  it('says what it cannot import', async () => {
    writeFileSync(join(folder.path, 'wrong.ts'), `import 'rdma-conform/nonesuch'; export default {};`);
    const { code, stderr } = await run(['--adapter', './wrong.ts'], { cwd: folder.path });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^rdma-conform: adapter module \.\/wrong\.ts: [^\n]*nonesuch[^\n]*\n$/);
  });
});
