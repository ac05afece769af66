import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

let number = 0;
/** A folder with a config file. */
function project(text: string, name = 'rdma-conform.config.json'): string {
  const place = join(folder.path, String(number++));
  mkdirSync(place);
  writeFileSync(join(place, name), text);
  return place;
}

const mutant = 'reference:mutant=nak-psn-of-request';
const narrow = { rule: 'rc-request-ahead', runs: 20 };

describe('a config file', () => {
  it('says what the command line does not', async () => {
    const cwd = project(JSON.stringify({ adapter: mutant, ...narrow, seed: 4 }));
    const { code, stdout } = await runHere([], { cwd });
    expect(stdout).toMatch(/reference:mutant=nak-psn-of-request.*\| seed 4 \|/);
    expect(stdout).toMatch(/^rc-request-ahead$/m);
    expect(code).toBe(1);
  });

  it('yields to flags', async () => {
    const cwd = project(JSON.stringify({ adapter: mutant, ...narrow }));
    const { code, stdout } = await runHere(['--adapter', 'reference', '--seed', '2'], { cwd });
    expect(stdout).toMatch(/ reference, 1.*\| seed 2 \|/);
    expect(code).toBe(0);
  });

  it('takes a duration as a flag does', async () => {
    const cwd = project(JSON.stringify({ ...narrow, timeLimit: '1h' }));
    expect(await runHere([], { cwd })).toMatchObject({ code: 0 });
  });

  it('can be TypeScript, and stand elsewhere', async () => {
    const text = `const adapter: string = '${mutant}';\nexport default { adapter, rule: ['rc-request-ahead'], runs: 20 };\n`;
    const cwd = project(text, 'mine.ts');
    expect(await runHere(['--config', 'mine.ts'], { cwd })).toMatchObject({ code: 1 });
  });

  it('serves smoke as well, as far as it has the flags', async () => {
    const cwd = project(JSON.stringify({ adapter: mutant, ...narrow }));
    const { code, stdout } = await runHere(['smoke'], { cwd });
    expect(stdout).toMatch(/^FAIL {3}a lost packet/m);
    expect(code).toBe(1);
  });

  it.each([
    ['{\n  "seed": 1,\n  seed\n}', /rdma-conform\.config\.json:3:3: no JSON/],
    ['{"seed": "one"}', /rdma-conform\.config\.json: config\.seed must be an integer/],
    [
      '{"timeLimit": "15min"}',
      /config\.json: config\.timeLimit must be a duration .* 15m or 2h, not "15min"/,
    ],
    ['{"timeLimit": 0}', /config\.json: config\.timeLimit must be a duration greater than 0.*, not 0/],
    ['{"sutes": []}', /rdma-conform\.config\.json: .*sutes/],
    ['{"level": "shall"}', /config\.level must be .*must.*shall/],
    ['{"suite": ["rc-respnder"]}', /rc-respnder.*\(rdma-conform\.config\.json says --suite=rc-respnder\)/],
  ])('is refused with its place: %s', async (text, says) => {
    const { code, stderr } = await runHere([], { cwd: project(text) });
    expect(stderr).toMatch(says);
    expect(code).toBe(64);
  });

  it('is named where it does not exist, or where there are two', async () => {
    const cwd = project('{}');
    expect((await runHere(['--config', 'none.ts'], { cwd })).stderr).toMatch(
      /none\.ts: there is no such file/,
    );
    writeFileSync(join(cwd, 'rdma-conform.config.ts'), 'export default {};\n');
    const { code, stderr } = await runHere([], { cwd });
    expect(stderr).toMatch(/exclude each other/);
    expect(code).toBe(64);
  });
});
