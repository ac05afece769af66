import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { profile } from '../../adapters/agent/profile.ts';
import { referenceAdapter } from '../../adapters/index.ts';
import { stdioAdapter, type StdioOptions } from '../../adapters/stdio/adapter.ts';
import { runExit } from '../../cli/outcome.ts';
import { loadRules } from '../../oracle/index.ts';
import { properties, runConformance } from '../../suites/index.ts';
import { root } from '../project/files.ts';
import { gone } from './lives.ts';

const peer = join(root, 'test', 'stdio', 'peer.js');
const faults = JSON.parse(execFileSync(process.execPath, [peer, '--list'], { encoding: 'utf8' })) as string[];
const folder = mkdtempSync(join(tmpdir(), 'rdma-conform-stdio-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rules = loadRules();
const tried = properties.filter(({ id }) => id === 'rc-responder/send' || id === 'rc-responder/write');

/** Exit codes and what a run had found, however it ended. */
interface End {
  code: number;
  message: string;
  cases: number;
  exercised: number;
}

let started = 0;

async function runOn(fault: string, limits: Partial<StdioOptions>): Promise<{ end: End; pids: number[] }> {
  const pidFile = join(folder, String(++started));
  const command = `'${process.execPath}' '${peer}' '${fault}' '${pidFile}'`;
  const adapter = stdioAdapter({ command, ...limits });
  let end: End;
  try {
    const result = await runConformance({ adapter, rules, properties: tried, runs: 24 });
    const exercised = result.rules.filter((rule) => rule.exercised > 0).length;
    const code = runExit(result, { strict: false, requireCoverage: false });
    end = { code, message: result.errors.join('\n'), cases: result.cases, exercised };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = error.name === 'AdapterUnavailable' ? 69 : error.name === 'AdapterBroken' ? 70 : -1;
    end = { code, message: error.message, cases: 0, exercised: 0 };
    await adapter.close?.();
  }
  const pids = readFileSync(pidFile, 'utf8').trim().split('\n').map(Number);
  return { end, pids };
}

/** Faults before which cases could be run. */
const late =
  /^(talks to|a frame of (no|10)|ends in|ends by|half a line|no answer|ignores|stops|leaves|closes|a line without|a flood|a clock that (runs|goes|st)|a clock in f|a timer|no word|a frame that nothing|refuses (to|frames))/;

describe.concurrent('a device beyond a pipe that misbehaves', () => {
  it('is one of more than fifty', () => {
    expect(faults.length).toBeGreaterThan(60);
  });

  it.each(faults)('%s: ends as an error, keeps what was found, leaves no process', async (fault) => {
    // Only one that says nothing at all is waited for in vain; others may be slow to start on a busy machine.
    const greetingMs = fault === 'says nothing' ? 1500 : 60_000;
    const { end, pids } = await runOn(fault, { greetingMs, callMs: 1500 });
    expect(end).toMatchObject({ code: 70, message: expect.stringMatching(/./) });
    expect(end.exercised).toBeGreaterThanOrEqual(late.test(fault) ? 1 : 0);
    for (const pid of pids) expect({ pid, gone: await gone(pid) }).toEqual({ pid, gone: true });
  });
});

describe('what a message says of the line that is wrong', () => {
  it.concurrent.each([
    ['no MTU', /hello\.profile\.pathMtus must be an array with one entry at least, not \[\]/],
    ['no IP version', /hello\.profile\.ipVersions must be an array with one entry at least/],
    [
      'an IPv4 address that is none',
      /hello\.dut\.ipv4 must be an IPv4 address such as .*, not "300\.1\.1\.1"/,
    ],
    ['an IPv6 address that is none', /hello\.peer\.ipv6 must be an IPv6 address .*, not "fd00::1::2"/],
    ['no address of its IP version', /hello\.peer\.ipv6 is missing: ipVersions of the profile has 6/],
    [
      'the address of the device for the peer',
      /hello\.peer\.ipv4 must be another address than that of dut, not "10\.0\.0\.1"/,
    ],
    [
      'a response time of days',
      /responseTime must be an integer from 0 to 600000000000, not 1000000000000000/,
    ],
    ['a capability that is none', /capabilities\[1\] is "rdma-read"; there are: rc, uc, ud, /],
    ['begins with a byte order mark', /wrote a line that begins with a byte order mark/],
    ['half a line, then ends', /ended with code 0; its last line has no end: \{"id":4,"o$/m],
    ['the same answer twice', /answer to \d+, which has its answer already/],
    ['the number of a QP of management', /create_qp\.qp_num must be an integer from 2 to 16777214, not 1/],
    ['an answer without ok', /answer\.ok is missing: an answer has "ok", if only null, or "error"/],
    ['a message that is none', /message must be one with "id", "frame", .*, not \{"irq":3\}/],
  ])('%s', async (fault, message) => {
    const { end } = await runOn(fault, { greetingMs: 60_000, callMs: 20_000 });
    expect(end.message).toMatch(message);
  });
});

describe('what a message says of how a device ended', () => {
  it('names a line that has no end', async () => {
    const command = `printf '{"id":1,"ok'; cat > /dev/null`;
    await expect(stdioAdapter({ command, greetingMs: 2000 }).describe()).rejects.toThrow(
      'the device did not answer hello in time (2 s); its last line has no end: {"id":1,"ok',
    );
  });

  it('leaves out what underlines a line of a traceback', async () => {
    const said = String.raw`Traceback:\n  at = f(x)\n       ~^^^\n\nValueError: x ^ y\n`;
    const command = `printf '${said}' >&2; exit 5`;
    await expect(stdioAdapter({ command, greetingMs: 20_000 }).describe()).rejects.toThrow(
      'ended with code 5; its stderr ends with: Traceback: | at = f(x) | ValueError: x ^ y',
    );
  });
});

describe('a profile', () => {
  it('has room for four elements at the least', async () => {
    const sound = await referenceAdapter().describe();
    const withSge = (maxSge: number): unknown => ({ ...sound, limits: { ...sound.limits, maxSge } });
    expect(profile(withSge(4), 'profile').limits.maxSge).toBe(4);
    expect(() => profile(withSge(3), 'profile')).toThrow(
      'profile.limits.maxSge must be an integer from 4 to',
    );
  });
});

describe('a command that is none', () => {
  it.each([
    ['is not found', 'no-such-program-of-rdma-conform'],
    ['is no program', "'/dev/null'"],
    ['says that the device cannot be had', 'echo no such device >&2; exit 69'],
  ])('%s: unavailable', async (_, command) => {
    await expect(stdioAdapter({ command }).describe()).rejects.toMatchObject({ name: 'AdapterUnavailable' });
  });
});
