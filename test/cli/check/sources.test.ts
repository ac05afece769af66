import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { inOrder } from '../../../cli/check/in-order.ts';
import { readCapture, writePcap, type CapturedPacket } from '../../../wire/index.ts';
import { answer, conversation, pcap, sendOnly, stamped } from '../captures.ts';
import { command, run, temporaryFolder, type Finished } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

function save(name: string, packets: readonly CapturedPacket[]): string {
  writeFileSync(join(folder.path, name), writePcap(packets));
  return name;
}

const check = async (...args: string[]): Promise<Finished> => run(['check', ...args], { cwd: folder.path });

/** An Acknowledge whose MSN is beyond all messages sent is the last frame. */
const wrong = stamped([...conversation(4, 100), sendOnly(104), answer(104, 9)]);

describe('check of several captures', () => {
  it('takes them in the order of their stamps, and names the file of a frame', async () => {
    const [early, late] = [save('early.pcap', wrong.slice(0, 5)), save('late.pcap', wrong.slice(5))];
    const { code, stdout } = await check(late, early);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}pass +rc-request-expected +must +5$/m);
    expect(stdout).toContain('frame 5 of late.pcap at 9.000 us');
    expect(stdout).toContain('10 frames, 10 RoCEv2 packets judged');
  });

  it('puts together what two ports saw at the same time', async () => {
    const sound = stamped(conversation(20));
    const one = save(
      'requests.pcap',
      sound.filter((_, i) => i % 2 === 0),
    );
    const other = save(
      'responses.pcap',
      sound.filter((_, i) => i % 2 === 1),
    );
    const { code, stdout } = await check(one, other);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('judged: both ends') });
    expect((await check(one)).code).toBe(2);
    const noted = await check(one, other, '--annotate', 'both.pcapng');
    expect(noted.code).toBe(0);
    const records = [...readCapture(join(folder.path, 'both.pcapng'))];
    expect(records).toHaveLength(40);
  });

  it('judges up to the damage of each', async () => {
    const bytes = writePcap(wrong.slice(0, 4));
    writeFileSync(join(folder.path, 'torn.pcap'), bytes.subarray(0, bytes.length - 9));
    const { code, stdout, stderr } = await check(save('rest.pcap', wrong.slice(4, 8)), 'torn.pcap');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^rdma-conform: [^\n]*torn\.pcap: damaged capture file[^\n]*\n$/);
    expect(stdout).toContain('7 frames, 7 RoCEv2 packets judged');
  });

  it.each([
    ['a pipe among files', ['a.pcap', '-'], /- \(standard input\) is judged alone/],
    ['a folder among files', ['a.pcap', 'folder'], /folder is no file/],
    ['what is no capture', ['a.pcap', 'text'], /text: neither pcap nor pcapng/],
    ['what is not there', ['a.pcap', 'missing'], /missing cannot be read: there is no such file/],
  ])('refuses %s', async (_, files, message) => {
    save('a.pcap', wrong);
    mkdirSync(join(folder.path, 'folder'), { recursive: true });
    writeFileSync(join(folder.path, 'text'), 'no capture at all');
    const { code, stderr } = await check(...files);
    expect(code).toBe(64);
    expect(stderr).toMatch(message);
  });
});

describe('check by time', () => {
  it('judges neighbours that were written in the wrong order by their stamps', async () => {
    const sound = stamped(conversation(20));
    const swapped = sound.flatMap((_, i) => (i % 2 === 0 ? [sound[i + 1], sound[i]] : [])).filter(isThere);
    const { code, stdout } = await check(save('swapped.pcap', swapped));
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Not judged') });
  });

  it('puts portions in order, and hands on at once what is a second old', () => {
    const packets = stamped(Array.from({ length: 5000 }, (_, i) => sendOnly(i)));
    const portions = Array.from({ length: 10 }, (_, i) => packets.slice(500 * i, 500 * (i + 1)));
    const mixed = portions.flatMap((_, i) => (i % 2 === 0 ? [portions[i + 1], portions[i]] : [])).flat();
    const times = [...inOrder(readCapture([writePcap(mixed.filter(isThere))]))].map((record) =>
      record.kind === 'frame' ? record.time : -1n,
    );
    expect(times).toEqual(packets.map(({ time }) => time));
    let read = 0;
    function* slow(): Generator<Uint8Array> {
      const bytes = writePcap(
        packets.slice(0, 3).map((packet, i) => ({ ...packet, time: BigInt(i) * 2_000_000_000n })),
      );
      const record = (bytes.length - 24) / 3;
      yield bytes.subarray(0, 24);
      for (let i = 0; i < 3; i++) {
        read++;
        yield bytes.subarray(24 + i * record, 24 + (i + 1) * record);
      }
    }
    inOrder(readCapture(slow())).next();
    expect(read).toBe(2);
  });
});

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

describe('check of a pipe', () => {
  it('tells each violation before the pipe ends', async () => {
    const child = spawn(process.execPath, [command, 'check', '-'], { cwd: folder.path });
    let stderr = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    const told = new Promise<void>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
        if (stderr.includes('\n')) resolve();
      });
    });
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    const later = { time: (wrong[0]?.time ?? 0n) + 5_000_000_000n, data: sendOnly(105) };
    child.stdin.write(writePcap([...wrong, later]));
    await told;
    expect(stderr).toMatch(
      /^frame 10 at 9\.000 us, qp 0x000022 at 10\.0\.0\.2: rc-msn-counts-messages: expected/,
    );
    expect(stdout).toBe('');
    child.stdin.end();
    expect(await closed).toBe(1);
    expect(stdout).toContain('rdma-conform');
    expect(stdout).toContain('standard input');
  });

  it('says that it cannot be read twice', async () => {
    const { code, stderr } = await run(['check', '-', '--annotate', 'x.pcapng'], { cwd: folder.path });
    expect(code).toBe(64);
    expect(stderr).toMatch(/standard input/);
  });
});

describe('check of a packed capture', () => {
  it('judges one that is cut up to the cut, and says so', async () => {
    const packed = zlib.gzipSync(pcap(conversation(2000)));
    writeFileSync(join(folder.path, 'cut.gz'), packed.subarray(0, packed.length / 2));
    const { code, stdout, stderr } = await check('cut.gz');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^rdma-conform: cut\.gz: the gzip file is cut: its end is missing[^\n]*\n$/);
    expect(Number(/([\d,]+) frames/.exec(stdout)?.[1]?.replace(',', ''))).toBeGreaterThan(500);
  });

  it('reads zstd where Node does, and says so where it does not', async () => {
    const compress: unknown = Reflect.get(zlib, 'zstdCompressSync');
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0);
    const packed: unknown = typeof compress === 'function' ? compress(pcap(conversation(40))) : frame;
    writeFileSync(join(folder.path, 'a.zst'), packed instanceof Uint8Array ? packed : frame);
    const refused = { code: 64, stderr: expect.stringMatching(/unpack it first/) as unknown };
    expect(await check('a.zst')).toMatchObject(typeof compress === 'function' ? { code: 0 } : refused);
  });
});
