import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ecnBits,
  Marker,
  markingProbability,
  PathSwitch,
  withEcnBits,
  type Hop,
} from '../../../adapters/switch/index.ts';
import { VirtualClock } from '../../../adapters/virtual-clock.ts';
import type { SwitchPlan } from '../../../spec/congestion.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode } from '../../../wire/index.ts';

const curve = { low: 5000, high: 200_000, most: 0.1, seed: 7 };
const plan: SwitchPlan = { rate: 8e9, buffer: 20_000, marking: curve, lossless: false };

/** A SEND of so many bytes. */
function frame(psn: number, bytes: number, version: 4 | 6 = 4, ecn = 2): Uint8Array {
  return encode({
    srcIp: version === 4 ? '10.0.0.1' : 'fd00::1',
    dstIp: version === 4 ? '10.0.0.2' : 'fd00::2',
    opcode: opcodeByName('RC_SEND_ONLY'),
    destQp: 5,
    psn,
    trafficClass: 0x60 | ecn,
    payload: new Uint8Array(bytes),
  });
}

function psnsOf(frames: readonly Uint8Array[]): number[] {
  return frames.map((bytes) => {
    const decoded = decode(bytes);
    return decoded.kind === 'packet' ? decoded.packet.psn : -1;
  });
}

interface Seen {
  clock: VirtualClock;
  through: PathSwitch;
  out: { at: number; frame: Uint8Array }[];
  hops: Hop[];
}

function open(more: Partial<SwitchPlan> = {}): Seen {
  const clock = new VirtualClock();
  const out: Seen['out'] = [];
  const hops: Hop[] = [];
  const through = new PathSwitch({
    clock,
    plan: { ...plan, ...more },
    deliver: (bytes) => out.push({ at: clock.now(), frame: bytes }),
    hop: (hop) => hops.push(hop),
  });
  return { clock, through, out, hops };
}

describe('ECN bits of a frame', () => {
  it.each([4, 6] as const)(
    'are set in IPv%d, and nothing else changes but the header checksum',
    (version) => {
      fc.assert(
        fc.property(fc.nat(3), fc.nat(3), fc.nat(300), (before, behind, bytes) => {
          const sent = frame(1, bytes, version, before);
          expect(ecnBits(sent)).toBe(before);
          const marked = decode(withEcnBits(sent, behind));
          const original = decode(sent);
          if (marked.kind !== 'packet' || original.kind !== 'packet') throw new Error('no packet');
          expect(marked.packet.ecn).toBe(behind);
          expect(marked.packet.ipChecksumOk).toBe(true);
          expect(marked.packet.icrcOk).toBe(true);
          const { trafficClass: _, ...rest } = marked.packet.fields();
          const { trafficClass: __, ...was } = original.packet.fields();
          expect(rest).toEqual(was);
        }),
        { numRuns: 30 },
      );
    },
  );
});

describe('the marking curve', () => {
  it('is 0 up to the low threshold, 1 above the high one, and a line between', () => {
    const p = (queued: number): number => markingProbability(queued, curve);
    expect([p(0), p(5000)]).toEqual([0, 0]);
    expect(p(200_000)).toBeCloseTo(0.1);
    expect(p(200_001)).toBe(1);
    expect(p((5000 + 200_000) / 2)).toBeCloseTo(0.05);
  });

  it('is what marks come in the proportion of, for both ECT code points alike', () => {
    const marker = new Marker({ low: 0, high: 100, most: 0.5, seed: 3 });
    let marks = 0;
    const packets = 20_000;
    for (let i = 0; i < packets; i++) if (marker.mark(i % 2 === 0 ? 2 : 1, 60) === 3) marks++;
    // 0.3 within six standard deviations
    expect(Math.abs(marks / packets - 0.3)).toBeLessThan(6 * Math.sqrt((0.3 * 0.7) / packets));
  });

  it('marks nothing that is not ECN capable, and leaves CE as it is', () => {
    const marker = new Marker({ low: 0, high: 1, most: 1, seed: 3 });
    expect([0, 1, 2, 3].map((ecn) => marker.mark(ecn, 1000))).toEqual([0, 3, 3, 3]);
  });
});

describe('a switch on a path', () => {
  it('lets packets out in order, at its rate', () => {
    const { clock, through, out } = open();
    const sent = [frame(0, 1000), frame(1, 10), frame(2, 500)];
    for (const bytes of sent) through.send(bytes);
    expect(through.pending).toBe(true);
    clock.advance(1e6);
    expect(psnsOf(out.map((o) => o.frame))).toEqual([0, 1, 2]);
    let total = 0;
    // 8 Gb/s: a byte each nanosecond
    expect(out.map(({ at }) => at)).toEqual(sent.map((bytes) => (total += bytes.length)));
    expect(through.pending).toBe(false);
  });

  it('without flow control drops what its buffer has no room for, and nothing else', () => {
    const { clock, through, out, hops } = open();
    for (let psn = 0; psn < 12; psn++) through.send(frame(psn, 2000));
    clock.advance(1e6);
    const forwarded = hops.filter(({ fate }) => fate === 'forwarded').length;
    expect(forwarded).toBe(Math.floor(20_000 / frame(0, 2000).length));
    expect(psnsOf(out.map((o) => o.frame))).toEqual(Array.from({ length: forwarded }, (_, i) => i));
    expect(hops.every(({ paused }) => !paused)).toBe(true);
  });

  it('with flow control pauses its inputs in time, and loses nothing', () => {
    const { clock, through, out, hops } = open({ lossless: true });
    for (let psn = 0; psn < 40; psn++) through.send(frame(psn, 2000));
    clock.advance(1e6);
    expect(psnsOf(out.map((o) => o.frame))).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(hops.some(({ paused }) => paused)).toBe(true);
    expect(hops.every(({ queued, bytes }) => queued + bytes <= 20_000)).toBe(true);
  });

  it('counts other traffic to the same output, from its beginning until its end', () => {
    const { clock, through, hops, out } = open({
      cross: [{ rate: 4e9, bytes: 1000, from: 10, until: 30, ecn: 0 }],
    });
    clock.advance(1e6);
    // 1000 bytes at 4 Gb/s: one packet each 2 us
    expect(hops).toHaveLength(10);
    expect(hops.every(({ ecnOut }) => ecnOut === 0)).toBe(true);
    expect(out).toHaveLength(0);
    expect(through.pending).toBe(false);
  });
});
