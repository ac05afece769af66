import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { command, temporaryFolder } from '../cli/command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

describe('a report whose file finds no room', () => {
  it('leaves no half of it, and costs no other report', () => {
    // the shell counts in blocks of 512 bytes: less than the page, more than the text
    const limited = `ulimit -f 100; exec "${process.execPath}" "${command}" --suite ud --runs 5 --reporter html=page.html --reporter tap=run.tap --reporter pretty`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', limited], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/page\.html cannot be written/),
    });
    expect(stdout).toMatch(/^5 cases, /m);
    expect(existsSync(join(folder.path, 'page.html')), readdirSync(folder.path).join()).toBe(false);
    expect(statSync(join(folder.path, 'run.tap')).size).toBeGreaterThan(0);
  });
});

describe('a report that cannot be written', () => {
  it.each([
    ['page', /^rdma-conform: page cannot be written: it is a folder\n$/],
    ['none/page.html', /^rdma-conform: none\/page\.html cannot be written: the folder for it is not there/],
  ])('%s: is found out before anything runs', (file, message) => {
    const fresh = temporaryFolder();
    mkdirSync(join(fresh.path, 'page'));
    const flags = ['--suite', 'ud', '--runs', '5', '--reporter', `html=${file}`];
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...flags], {
      cwd: fresh.path,
      encoding: 'utf8',
    });
    const ran = existsSync(join(fresh.path, '.rdma-conform'));
    fresh.remove();
    expect({ status, stdout, ran }).toEqual({ status: 64, stdout: '', ran: false });
    expect(stderr).toMatch(message);
  });
});
