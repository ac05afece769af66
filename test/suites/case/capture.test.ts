import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../oracle/index.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { captureOf, type CaptureVerdict } from '../../../suites/case/index.ts';
import { decode, encode, readCapture, type Packet } from '../../../wire/index.ts';
import { dissect as tshark, tsharkMissing } from '../../wire/tshark.ts';

function packet(psn: number): Packet {
  const decoded = decode(encode({ opcode: opcodeByName('RC_SEND_ONLY'), destQp: 17, psn }));
  if (decoded.kind !== 'packet') throw new Error('no packet');
  return decoded.packet;
}

const events: TraceEvent[] = [
  { kind: 'packet', t: 1000, number: 0, direction: 'to-dut', packet: packet(1) },
  { kind: 'frame', t: 2000.4, direction: 'from-dut', frame: new Uint8Array(60) },
  { kind: 'packet', t: 3000, number: 0, direction: 'from-dut', packet: packet(2) },
  { kind: 'settled', t: 4000 },
  { kind: 'packet', t: 5000, number: 0, direction: 'to-dut', packet: packet(3) },
];

const verdict: CaptureVerdict = {
  rule: 'rc-some-rule',
  level: 'must',
  says: 'It does what it does.',
  expected: 'this',
  observed: 'that',
  adapter: 'reference',
  event: 2,
};

const read = (bytes: Uint8Array | undefined) =>
  [...readCapture([bytes ?? new Uint8Array(0)])].flatMap((record) =>
    record.kind === 'frame' ? [record] : [],
  );

describe('capture of a failure', () => {
  it('has all frames with their times and directions, and the verdict on the guilty one', () => {
    const frames = read(captureOf({ events, wire: [] }, verdict));
    expect(frames.map(({ time, interfaceName }) => [time, interfaceName])).toEqual([
      [1000n, 'to the device'],
      [2000n, 'from the device'],
      [3000n, 'from the device'],
      [5000n, 'to the device'],
    ]);
    expect(frames.map(({ comments }) => comments.length)).toEqual([0, 0, 1, 0]);
    expect(frames[2]?.comments[0]).toBe(
      'rc-some-rule (must) is broken\nIt does what it does.\nexpected: this\nobserved: that',
    );
  });

  it.each([
    { event: 3, expected: [0, 0, 1, 0], where: 'the packet before what is no packet' },
    { event: 0, expected: [1, 0, 0, 0], where: 'the first one' },
    { event: undefined, expected: [0, 0, 0, 1], where: 'the last one, where nothing is guilty by itself' },
  ])('of event $event has the comment on $where', ({ event, expected }) => {
    const frames = read(captureOf({ events, wire: [] }, { ...verdict, event }));
    expect(frames.map(({ comments }) => comments.length)).toEqual(expected);
  });

  it('is not there where no packet was seen', () => {
    expect(captureOf({ events: [{ kind: 'settled', t: 0 }], wire: [] }, verdict)).toBeUndefined();
  });

  it.skipIf(tsharkMissing)(`is read so by tshark (${tsharkMissing ?? 'tshark'})`, () => {
    const bytes = captureOf({ events, wire: [] }, verdict) ?? new Uint8Array(0);
    const fields = ['frame.number', 'frame.comment', 'infiniband.bth.psn'] as const;
    expect(tshark(bytes, fields, ['-Y', 'frame.comment'])).toMatchObject([
      { 'frame.number': ['3'], 'infiniband.bth.psn': ['2'] },
    ]);
  });
});
