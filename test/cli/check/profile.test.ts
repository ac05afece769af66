import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pcapOf } from '../../captures/bytes.ts';
import { Talk } from '../../captures/talk.ts';
import { runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});
const capture = 'cnps.pcap';
writeFileSync(join(folder.path, capture), pcapOf(new Talk().sends(300).cnps(3000, 25_000).taken));

function saved(content: string): string {
  writeFileSync(join(folder.path, 'nic.json'), content);
  return 'nic.json';
}
const check = (given: string): ReturnType<typeof runHere> =>
  runHere(['check', capture, '--profile', given], { cwd: folder.path });
const interval = (nanoseconds: number, scope = 'qp'): string =>
  saved(JSON.stringify({ congestion: { lineRate: 1e11, cnp: { interval: nanoseconds, scope } } }));

describe('check --profile', () => {
  it('holds CNPs to the interval of a file', async () => {
    const { code, stdout } = await check(interval(100_000));
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL +cc-cnp-spaced/);
    expect(stdout).toContain('expected  no CNP within 100.000 us of another');
  });

  it('finds nothing where the interval is kept', async () => {
    expect((await check(interval(25_000))).code).toBe(0);
  });

  it('holds them to nothing without it', async () => {
    const { code, stdout } = await runHere(['check', capture], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).not.toContain('cc-cnp-spaced');
  });

  it.each([
    [
      'nope',
      'nope cannot be read: there is no such file, and no set of parameters (paper, nvidia, ns3, brisk)',
    ],
    ['{', 'nic.json: Expected'],
    ['[]', 'nic.json: profile must be an object, not []'],
    ['{}', 'nic.json: profile.congestion is missing'],
    ['{"congestion":{"lineRate":-1}}', 'nic.json: profile.congestion.cnp is missing'],
    ['{"name":"x"}', 'nic.json: profile.capabilities is missing'],
  ])('refuses %s', async (given, says) => {
    const { code, stderr } = await check(given === 'nope' ? given : saved(given));
    expect(code).toBe(64);
    expect(stderr).toContain(`--profile: ${says}`);
  });

  it('refuses a scope that nobody knows', async () => {
    const { code, stderr } = await check(interval(1, 'flow'));
    expect({ code, stderr }).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('qp or source or port'),
    });
  });
});
