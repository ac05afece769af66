import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../cli/doctor/examine.ts';
import { knownFor, readKnown } from '../../cli/files/known-file.ts';
import { command, runHere, temporaryFolder } from '../cli/command-line.ts';
import { root } from '../project/files.ts';
import { gone } from './lives.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const node = `'${process.execPath}'`;
const peer = (fault: string): string =>
  `stdio:${node} '${join(root, 'test', 'stdio', 'peer.js')}' '${fault}' '${join(folder.path, 'pids')}'`;

describe('smoke', () => {
  it('finds the reference NIC sound', async () => {
    const { code, stdout } = await runHere(['smoke']);
    expect(stdout).toMatch(/^ok {5}create_qp /m);
    expect(stdout).toMatch(/^ok {5}RDMA READ$/m);
    expect(stdout).toMatch(/reference is fit for a run\n$/);
    expect(code).toBe(0);
  });

  it('posts each kind of work request, and names what is wrong once', async () => {
    const { code, stdout } = await runHere(['smoke', '--adapter', 'reference:mutant=mig-req-zero']);
    expect(stdout).toMatch(
      /^FAIL {3}SEND +rc-mig-req-migrated: expected MigReq 1 in MIGRATED; observed\s+MigReq 0$/m,
    );
    for (const opcode of ['WRITE', 'READ'])
      expect(stdout).toMatch(
        new RegExp(`^FAIL {3}post_send of a ${opcode} +rc-mig-req-migrated: as before$`, 'm'),
      );
    expect(code).toBe(1);
  });

  it('finds the wire out where there is none', async () => {
    const { code, stdout } = await runHere(['smoke', '--adapter', 'reference:wire=none']);
    expect(stdout).toMatch(/^ok {5}SEND between two QPs/m);
    expect(code).toBe(0);
  });

  it.each([
    ['a QP without a number', /^ERROR +create_qp .*create_qp\.qp_num is missing/s],
    [
      'a line of text',
      /^ERROR +alloc_pd .*wrote a line that is no JSON .*logs go to stderr\): Segmentation fault/s,
    ],
    ['an empty line', /^ERROR +alloc_pd .*wrote an empty line/s],
    ['a QP number of 25 bits', /create_qp\.qp_num must be an integer from 2 to 16777214/],
    ['a key of 33 bits', /reg_mr\.rkey must be an integer from 0 to 4294967295/],
    ['an MTU that there is not', /^ERROR +describe .*profile\.pathMtus\[0\] must be 256 or 512/s],
    ['no answer', /^ERROR .*did not answer poll_cq in time \(5 s\)/],
  ])('names what is wrong: %s', async (fault, told) => {
    const { code, stdout } = await runHere(['smoke', '--adapter', peer(fault), '--time-limit', '60']);
    const wrong = stdout.split('\n').findIndex((line) => line.startsWith('ERROR'));
    const text = stdout.split('\n').slice(wrong).join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(told);
    expect(stdout).toMatch(/The rest was not tried/);
    expect(code).toBe(70);
  });

  it('says that the time is over', async () => {
    const { code, stdout } = await runHere(['smoke', '--adapter', peer('says nothing'), '--time-limit', '1']);
    expect(stdout).toMatch(/^ERROR {2}describe +not done 1 s after the beginning/m);
    expect(code).toBe(70);
    const pids = readFileSync(join(folder.path, 'pids'), 'utf8').trim().split('\n').map(Number);
    for (const pid of pids) expect({ pid, gone: await gone(pid) }).toEqual({ pid, gone: true });
  });

  it('names the rule that an answer on the wire breaks', async () => {
    const { code, stdout } = await runHere(['smoke', '--adapter', 'reference:mutant=nak-psn-of-request']);
    expect(stdout).toMatch(/^FAIL {3}a lost packet +rc-request-ahead: expected[^]*\nok {5}a duplicate/m);
    expect(stdout).toMatch(/\nEverything else is as it should be\. What is wrong: a lost packet\n$/);
    expect(code).toBe(1);
  });

  it('tells how the process of a device ended, and what it said last', async () => {
    const script = join(folder.path, 'dies.mjs');
    const says = "console.error('no board\\nin slot 3')";
    writeFileSync(script, `process.stdin.once('data', () => { ${says}; process.exit(5); });\n`);
    const { code, stdout } = await runHere(['smoke', '--adapter', `stdio:${node} '${script}'`]);
    const told = /ended with code 5; its stderr ends with: no board \| in slot 3/;
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(told);
    expect(code).toBe(70);
  });

  it('knows a device that cannot be had', async () => {
    const { code, stderr } = await runHere(['smoke', '--adapter', 'stdio:no-such-program-of-rdma-conform']);
    expect(stderr).toMatch(/ended with code 127/);
    expect(code).toBe(69);
  });
});

describe('agent', () => {
  it.each([
    [[], /needs the DEVICE/],
    [['mlx5_0', '--adapter', 'reference'], /not both/],
    [['--adapter', 'nonsense'], /unknown adapter/],
  ])('%j is wrong usage', async (args, told) => {
    const { code, stderr } = await runHere(['agent', ...args]);
    expect(stderr).toMatch(told);
    expect(code).toBe(64);
  });

  it('answers on stdout, and nothing else; ends with its stdin', () => {
    const calls = [
      '{"id":1,"call":"hello","args":{"protocol":3}}',
      'nonsense',
      '{"id":2,"call":"fly","args":{}}',
    ];
    const { status, stdout } = spawnSync(process.execPath, [command, 'agent', '--adapter', 'reference'], {
      input: `${calls.join('\n')}\n`,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(3);
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 1, ok: expect.objectContaining({ protocol: 3 }) as object }),
    );
    for (const line of lines.filter((one) => !('ok' in one)))
      expect(line).toMatchObject({ id: 0, error: { call: 'request' } });
  });
});

describe('doctor', () => {
  it('speaks of every way to a device', async () => {
    const { code, stdout } = await runHere(['doctor', '--format', 'json']);
    expect(code).toBe(0);
    const findings = JSON.parse(stdout) as {
      name: string;
      state: string;
      says: string;
      remedies: string[];
    }[];
    const names = findings.map(({ name }) => name);
    for (const name of ['reference', 'rxe', 'verbs:DEVICE', 'verbs:DEVICE,netdev=IF', 'stdio:COMMAND'])
      expect(names).toContain(name);
    expect(findings.find(({ name }) => name === 'reference')?.state).toBe('ready');
    for (const { state, remedies, says } of findings) {
      expect(says).not.toBe('');
      expect({ says, remedies: state === 'ready' ? remedies : [] }).toEqual({ says, remedies: [] });
    }
    const { stdout: text } = await runHere(['doctor']);
    for (const name of names) expect(text).toContain(` ${name} `);
  });

  it('knows a program by the PATH', () => {
    expect(hasProgram('node', join(process.execPath, '..'))).toBe(true);
    expect(hasProgram('node', folder.path)).toBe(false);
    expect(hasProgram('node', '')).toBe(false);
  });
});

describe('init', () => {
  it('has a list of known divergences that can be filled in', async () => {
    const place = join(folder.path, 'module');
    expect(await runHere(['init', place])).toMatchObject({ code: 0 });
    const file = join(place, 'known.yaml');
    expect(readKnown(file, folder.path, [])).toEqual([]);
    const text = readFileSync(file, 'utf8');
    const entry = text
      .split('\n')
      .filter((line) => /^# (- |  )/.test(line))
      .map((line) => line.slice(2));
    writeFileSync(join(folder.path, 'filled.yaml'), `${entry.join('\n')}\n`);
    const listed = readKnown('filled.yaml', folder.path, ['rc-request-ahead']);
    const { known } = knownFor(listed, { adapter: './adapter.ts', version: '1' }, new Date('2026-01-01'));
    expect(known).toMatchObject([{ rule: 'rc-request-ahead', expires: '2030-01-31' }]);
  });

  it('overwrites nothing', async () => {
    const place = join(folder.path, 'taken');
    mkdirSync(place);
    writeFileSync(join(place, 'README.md'), 'mine');
    const { code, stderr } = await runHere(['init', place]);
    expect(code).toBe(64);
    expect(stderr).toMatch(/has README\.md already; nothing was written/);
    expect(readFileSync(join(place, 'README.md'), 'utf8')).toBe('mine');
  });

  it('knows its kinds', async () => {
    expect(await runHere(['init', '--kind', 'pyton'])).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/python/) as string,
    });
  });
});
