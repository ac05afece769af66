import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../report/check-results.ts';
import { opcodeByName } from '../../spec/constants.ts';
import { decode, encode, ooethFlags, readCapture, writePcapng, type CaptureFrame } from '../../wire/index.ts';
import { root } from '../project/files.ts';
import { dissect as tshark, tsharkMissing } from '../wire/tshark.ts';
import { answer, arp, conversation, pcap, sendOnly } from './captures.ts';
import { runHere, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

function framesOf(bytes: Uint8Array): CaptureFrame[] {
  return [...readCapture([bytes])].flatMap((record) => (record.kind === 'frame' ? [record] : []));
}

async function check(name: string, bytes: Uint8Array, ...more: string[]): Promise<CheckResult> {
  writeFileSync(join(folder.path, name), bytes);
  const flags = ['--reporter', 'json=out.json', '--annotate', 'annotated.pcapng'];
  const { code, stderr } = await runHere(['check', name, ...flags, ...more], { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  return JSON.parse(readFileSync(join(folder.path, 'out.json'), 'utf8')) as CheckResult;
}

const annotated = (): Buffer => readFileSync(join(folder.path, 'annotated.pcapng'));

/** An Acknowledge whose MSN is beyond all messages sent: frame 11. */
const wrong = pcap([...conversation(4, 100), arp(), sendOnly(104), answer(104, 9), ...conversation(2, 105)]);

/** A kept capture of a real stack, in which one answer tells of 9 messages more than were sent. */
function falsified(): { bytes: Uint8Array; frame: number } {
  const path = join(root, 'test/fixtures/captures/rxe-6.1-atomic.pcapng');
  const frames = framesOf(readFileSync(path));
  const guilty = frames.find(({ data, number }) => {
    const decoded = decode(data);
    return number > 20 && decoded.kind === 'packet' && decoded.packet.aeth !== undefined;
  });
  if (guilty === undefined) throw new Error('no answer in the capture');
  const packets = frames.map((frame) => {
    const decoded = decode(frame.data);
    if (frame !== guilty || decoded.kind !== 'packet') return { time: frame.time, data: frame.data };
    const fields = decoded.packet.fields();
    const { syndrome = 0, msn = 0 } = fields.aeth ?? {};
    return { time: frame.time, data: encode({ ...fields, aeth: { syndrome, msn: msn + 9 } }) };
  });
  return { bytes: writePcapng(packets), frame: guilty.number };
}

describe('what shows a violation in a capture', () => {
  it('is the exchange around the guilty frame, seen from the device that was judged', async () => {
    const { violations } = await check('wrong.pcap', wrong);
    const [violation] = violations;
    expect(violation).toMatchObject({
      rule: 'rc-msn-counts-messages',
      frame: 11,
      ends: ['10.0.0.1', '10.0.0.2'],
    });
    const lines = violation?.ladder ?? [];
    expect(lines.map(({ text }) => Number(/^frame (\d+):/.exec(text)?.[1]))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14,
    ]);
    expect(lines.filter(({ guilty }) => guilty === true)).toMatchObject([{ kind: 'from-dut', t: 10_000 }]);
    expect(lines.find(({ text }) => text.startsWith('frame 10:'))?.kind).toBe('to-dut');
  });

  it('is what a sender has sent where nothing names its own QP', async () => {
    const send = (psn: number, recvWqeSn: number): Uint8Array =>
      sendOnly(psn, {
        opcode: opcodeByName('ORC_SEND_ONLY'),
        ooeth: { flags: ooethFlags.recvWqe, recvWqeSn, readWqeSn: 0, offset: 0 },
      });
    const frames = pcap([arp(), send(0, 0), send(1, 1), send(2, 3)]);
    const [one, two] = [
      await check('ooo.pcap', frames, '--ooo'),
      await check('ooo.pcap', frames, '--ooo', '--jobs', '2'),
    ];
    const [violation] = one.violations;
    expect(violation).toMatchObject({ rule: 'ooo-send-numbered', frame: 4, ends: ['10.0.0.2', '10.0.0.1'] });
    expect(violation?.ladder?.map(({ guilty = false }) => guilty)).toEqual([false, false, true]);
    expect(two.violations).toEqual(one.violations);
  });

  it('is drawn in the report', async () => {
    writeFileSync(join(folder.path, 'drawn.pcap'), wrong);
    const { stdout } = await runHere(['check', 'drawn.pcap'], { cwd: folder.path });
    expect(stdout).toMatch(/^>> +10\.000 us \| <= frame 11: RC ACKNOWLEDGE psn 104 /m);
  });

  it('is a comment on the guilty frame of the capture, which is otherwise as it was', async () => {
    const { violations } = await check('wrong.pcap', wrong);
    const before = framesOf(wrong);
    const after = framesOf(annotated());
    expect(after.map(({ time, data }) => [time, Buffer.from(data).toString('hex')])).toEqual(
      before.map(({ time, data }) => [time, Buffer.from(data).toString('hex')]),
    );
    const commented = after.filter(({ comments }) => comments.length > 0).map(({ number }) => number);
    expect(commented).toEqual([...new Set(violations.map(({ frame }) => frame))]);
    expect(after[10]?.comments[0]).toMatch(/^rc-msn-counts-messages \(must\) is broken, qp /);
  });

  it('keeps the comments and interfaces that the capture had', async () => {
    const frames = framesOf(wrong).map(({ time, data }, i) => ({
      time,
      data,
      interface: i % 2,
      comments: i === 10 ? ['mine'] : [],
    }));
    await check('mine.pcapng', writePcapng(frames, { interfaces: [{ name: 'eth0' }, { name: 'eth1' }] }));
    const after = framesOf(annotated());
    expect(after.map(({ interfaceName }) => interfaceName)).toEqual(
      after.map((_, i) => (i % 2 === 0 ? 'eth0' : 'eth1')),
    );
    expect(after[10]?.comments).toHaveLength(2);
    expect(after[10]?.comments[0]).toBe('mine');
  });

  it.skipIf(tsharkMissing)(
    `of a kept capture that was falsified stands on the right frame for tshark too (${tsharkMissing ?? 'tshark'})`,
    async () => {
      const { bytes, frame } = falsified();
      const { violations } = await check('kept.pcapng', bytes);
      expect(violations.map((violation) => violation.frame)).toContain(frame);
      const seen = tshark(annotated(), ['frame.number', 'frame.comment'], ['-Y', 'frame.comment']);
      const numbers = seen.map((row) => Number(row['frame.number'][0]));
      expect(numbers).toEqual([...new Set(violations.map((violation) => violation.frame))]);
      expect(seen[numbers.indexOf(frame)]?.['frame.comment'].join()).toContain(violations[0]?.rule);
    },
  );

  it('refuses to overwrite the capture itself', async () => {
    writeFileSync(join(folder.path, 'same.pcap'), wrong);
    const { code, stderr } = await runHere(['check', 'same.pcap', '--annotate', './same.pcap'], {
      cwd: folder.path,
    });
    expect(code).toBe(64);
    expect(stderr).toContain('--annotate must not name the capture itself');
  });
});
