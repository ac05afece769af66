import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { opcodeByName } from '../../spec/constants.ts';
import { encode } from '../../wire/index.ts';
import { readProjectFile } from '../project/files.ts';
import { answer, arp, conversation, pcap, sendOnly } from './captures.ts';
import { runHere, temporaryFolder, type Finished } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

function save(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder.path, name), bytes);
  return name;
}

async function check(name: string, ...flags: string[]): Promise<Finished> {
  return runHere(['check', name, ...flags], { cwd: folder.path });
}

/** An Acknowledge whose MSN is beyond all messages sent. */
const wrongAnswer = [...conversation(4, 100), arp(), sendOnly(104), answer(104, 9)];

/** The frame with a wrong ICRC. */
const damaged = (frame: Uint8Array): Uint8Array =>
  frame.map((byte, i) => (i < frame.length - 4 ? byte : byte ^ 1));

describe('check', () => {
  it('finds nothing wrong with a sound conversation', async () => {
    const { code, stdout, stderr } = await check(save('sound.pcap', pcap(conversation(40))));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}pass +rc-request-expected +must +40$/m);
    expect(stdout).toContain('80 frames, 80 RoCEv2 packets judged');
  });

  it('names the frame and the time of a violation', async () => {
    const { code, stdout } = await check(save('nak.pcap', pcap(wrongAnswer)));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}FAIL +rc-msn-counts-messages /m);
    expect(stdout).toMatch(/frame 11 at 10\.000 us/);
  });

  it('writes json that fits its schema, with frame numbers and nanoseconds since the first frame', async () => {
    const name = save('json.pcap', pcap(wrongAnswer));
    const { code, stdout } = await check(name, '--reporter', 'json=out.json', '--reporter', 'pretty');
    expect(code).toBe(1);
    expect(stdout).toContain('Violations');
    const result: unknown = JSON.parse(readFileSync(join(folder.path, 'out.json'), 'utf8'));
    const valid = new Ajv2020().compile(
      JSON.parse(readProjectFile('spec/schema/check.schema.json')) as object,
    );
    expect(valid(result), JSON.stringify(valid.errors)).toBe(true);
    expect(result).toMatchObject({
      frames: 11,
      packets: 10,
      skipped: [{ kind: 'not-roce', count: 1, firstFrame: 9 }],
      violations: [{ rule: 'rc-msn-counts-messages', frame: 11, t: 10_000 }],
    });
  });

  it('judges a damaged file up to the damage, and calls the rest unknown', async () => {
    const whole = pcap(conversation(10));
    const { code, stdout, stderr } = await check(save('cut.pcap', whole.subarray(0, whole.length - 30)));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^rdma-conform: cut\.pcap: .*byte \d+.*\n$/);
    expect(stdout).toContain('19 frames, 19 RoCEv2 packets judged');
  });

  it('still fails a damaged file for what stands before the damage', async () => {
    const bytes = pcap([...wrongAnswer, ...conversation(4, 101)]);
    expect((await check(save('cut-nak.pcap', bytes.subarray(0, bytes.length - 30)))).code).toBe(1);
  });

  it.each([
    ['no capture', new TextEncoder().encode('# Not a capture\n'), /neither pcap nor pcapng/],
    ['an empty file', new Uint8Array(0), /empty/],
  ])('refuses %s in one line', async (_, bytes, message) => {
    const { code, stdout, stderr } = await check(save('none.pcap', bytes));
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(/^rdma-conform: none\.pcap: [^\n]*\n$/);
    expect(stderr).toMatch(message);
  });

  it('reads a capture that gzip has packed, and refuses one that it cannot unpack', async () => {
    const packed = gzipSync(pcap(wrongAnswer));
    const { code, stdout } = await check(save('packed.pcap.gz', packed));
    expect(code).toBe(1);
    expect(stdout).toMatch(/frame 11 at 10\.000 us/);
    const torn = await check(save('torn.pcap.gz', packed.fill(0xff, 40, 60)));
    expect(torn).toMatchObject({ code: 64, stdout: '' });
    expect(torn.stderr).toMatch(
      /^rdma-conform: torn\.pcap\.gz cannot be read: packed by gzip, and damaged\n$/,
    );
    const other = await check(save('x.xz', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])));
    expect(other).toMatchObject({
      code: 64,
      stderr: 'rdma-conform: x.xz: the file is compressed by xz; unpack it first\n',
    });
  });

  it('refuses a path that cannot be read in one line', async () => {
    for (const path of ['missing.pcap', '.']) {
      const { code, stdout, stderr } = await check(path);
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toMatch(/^rdma-conform: [^\n]* cannot be read: [^\n]*\n$/);
    }
  });

  it('says that nothing was decided where there is no RoCE', async () => {
    const { code, stdout } = await check(save('arp.pcap', pcap([arp(), arp()])));
    expect(code).toBe(2);
    expect(stdout).toContain('No rule decided anything');
    expect(stdout).toMatch(
      /^Inconclusive\n {2}.*no RoCEv2 packet among 2 frames \(link type 1, ethernet\)$/m,
    );
    const json = await check('arp.pcap', '--reporter', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      inconclusive: [expect.stringContaining('no RoCEv2 packet among 2 frames')],
    });
  });

  it('is inconclusive where there is no frame, or none that a rule decides about', async () => {
    const empty = await check(save('header.pcap', pcap([])));
    expect(empty.code).toBe(2);
    expect(empty.stdout).toContain('the capture holds no frame');
    const only = await check(save('unknown.pcap', pcap([sendOnly(1, { opcode: 0xc0 })])));
    expect(only.code).toBe(2);
    expect(only.stdout).toContain('no rule decides about 1 packet');
  });

  it('shows a CNP with a fault among what its sender has sent, and counts it at the connection', async () => {
    const cnp = encode({
      opcode: opcodeByName('CNP'),
      srcIp: '10.0.0.2',
      dstIp: '10.0.0.1',
      destQp: 0x11,
      psn: 0,
      becn: true,
      migReq: true,
    });
    const { stdout, code } = await check(save('cnp.pcap', pcap([...conversation(2), cnp])));
    expect(code).toBe(1);
    expect(stdout).toContain('qp 0x000022, 1 violation');
    expect(stdout).toMatch(/frame 5 at \S+ \S+, sender to qp 0x000011 at 10\.0\.0\.2/);
    expect(stdout).toMatch(/^>>.*<= frame 5: CNP qp 0x000011.* MigReq 1/m);
    expect(stdout).toMatch(/<- frame 4: RC ACKNOWLEDGE/);
    expect(stdout).not.toMatch(/frame 3: RC SEND_ONLY/);
  });

  it('counts no rule of a responder that it has not seen answer', async () => {
    const { stdout, code } = await check(
      save('asking.pcap', pcap(conversation(8).filter((_, i) => i % 2 === 0))),
    );
    expect(code).toBe(2);
    expect(stdout).toContain('judged: the requester only');
    expect(stdout).toMatch(/^ {2}pass +rc-request-header /m);
    expect(stdout).not.toContain('rc-responder-');
    // one answer shows that there is one: then all that came before counts
    const answered = conversation(8).filter((_, i) => i % 2 === 0 || i === 15);
    const { stdout: both } = await check(save('answering.pcap', pcap(answered)));
    expect(both).toMatch(/^ {2}pass +rc-send-complete-asked +must +8$/m);
  });

  it.each([
    ['no response', conversation(8).filter((_, i) => i % 2 === 0), /no response: one direction only/],
    ['no request', conversation(8).filter((_, i) => i % 2 === 1), /one direction only: 8 responses/],
    ['no ICRC', conversation(8).map((frame) => frame.fill(0, -4)), /ICRC of every packet is 0/],
    [
      'a wrong ICRC everywhere',
      conversation(8).map(damaged),
      /Inconclusive.* the ICRC of every packet is wrong: the capture tool cut/,
    ],
    [
      'a wrong ICRC in all that one end sends',
      conversation(10).map((frame, i) => (i % 2 === 0 ? frame : damaged(frame))),
      /wrong in every packet of an end, which was not judged: 10 packets from 10\.0\.0\.2 to 10\.0\.0\.1: its NIC/,
    ],
    [
      'a wrong ICRC in all that one end asks',
      conversation(10).map((frame, i) => (i % 2 === 1 ? frame : damaged(frame))),
      /10 packets from 10\.0\.0\.1 to 10\.0\.0\.2: its NIC/,
    ],
    [
      'a wrong ICRC in most responses',
      conversation(7).map((frame, i) => (i % 2 === 0 || i > 9 ? frame : damaged(frame))),
      /5 responses of 7 could not be tied to a request, or were damaged/,
    ],
    [
      'responses to somebody else',
      [...conversation(2, 100), ...[500, 501, 502].map((psn) => answer(0x10000 + psn, 1))],
      /3 responses of 5 could not be tied/,
    ],
  ])('is not clean, but inconclusive, with %s', async (_, frames, why) => {
    const { code, stdout } = await check(save('partial.pcap', pcap(frames)));
    expect(code).toBe(2);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(why);
  });

  it('is inconclusive where a rule that was asked for decided nothing', async () => {
    const name = save('asked.pcap', pcap(conversation(4)));
    const both = ['--rule', 'rc-request-expected', '--rule', 'rc-request-ahead'];
    const { code, stdout, stderr } = await check(name, ...both);
    expect(code).toBe(2);
    expect(stdout).toMatch(/pass +rc-request-expected/);
    expect(stderr).toMatch(/^rule rc-request-ahead was asked for, and decided nothing/);
    expect((await check(name, '--rule', 'rc-request-expected')).code).toBe(0);
  });

  it('reports only the rules that were asked for', async () => {
    const name = save('selected.pcap', pcap(wrongAnswer));
    expect((await check(name, '--rule', 'rc-request-expected')).code).toBe(0);
    const unknown = await check(name, '--rule', 'rc-request-aheda');
    expect(unknown.code).toBe(64);
    expect(unknown.stderr).toMatch(/did you mean "rc-request-ahead"/);
  });
});
