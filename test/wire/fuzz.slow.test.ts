import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { decode, decodeCaptured, describe as inWords, encode } from '../../wire/index.ts';
import type { Packet } from '../../wire/index.ts';
import fc from 'fast-check';
import { testSeed } from '../seed.ts';
import { anyPacketFields } from './arbitrary.ts';

/** More of them with FRAMES=1000000. */
const frames = Number(process.env['FRAMES'] ?? 100_000);

/** xorshift32: a property over so many frames must not spend its time on drawing them. */
function random(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Reads every getter; a number out of its range or an exception fails the test. */
function touch(packet: Packet): number {
  const { frame } = packet;
  const sizes = [packet.payload.length, packet.payloadLength, packet.destQp, packet.psn, packet.pkey];
  if (sizes.some((n) => !Number.isInteger(n) || n < 0)) throw new Error(`sizes ${sizes.join(' ')}`);
  if (packet.payload.length > frame.length) throw new Error('payload longer than the frame');
  if (!Number.isInteger(packet.aethWord) || !Number.isInteger(packet.icrc)) throw new Error('not a number');
  return packet.addressKey.length + packet.padCount + (packet.icrcOk ? 1 : 0);
}

describe('decode never throws', () => {
  const seedFrames = fc.sample(anyPacketFields, { numRuns: 400, seed: 20 }).map(encode);

  it(
    `on ${frames} random and mutated frames, and whatever it takes for a packet can be read`,
    { timeout: 120_000 },
    () => {
      const draw = random(testSeed);
      const seen = { packet: 0, 'not-roce': 0, truncated: 0, malformed: 0 };
      for (let i = 0; i < frames; i++) {
        const frame = i % 4 === 3 ? noise(draw) : mutated(seedFrames[draw(seedFrames.length)]!, draw);
        const capturedOf = draw(3) === 0 ? frame.length + draw(60) : undefined;
        try {
          const decoded = decode(frame, capturedOf);
          seen[decoded.kind]++;
          const packet = 'packet' in decoded ? decoded.packet : undefined;
          if (packet === undefined) continue;
          touch(packet);
          if (i % 50 === 0) inWords(packet);
          if (i % 50 === 0 && decoded.kind === 'packet') encode(packet.fields());
        } catch (error) {
          const bytes = Array.from(frame, (b) => b.toString(16).padStart(2, '0')).join('');
          throw new Error(`seed ${testSeed}, frame ${i} (length on the wire ${capturedOf}): ${bytes}`, {
            cause: error,
          });
        }
      }
      // every outcome was reached, and often: the frames are not all of one kind
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(frames / 100);
    },
  );

  it('restores the bytes of every sound frame', () => {
    for (const frame of seedFrames) {
      const decoded = decode(frame);
      expect(decoded.kind === 'packet' && encode(decoded.packet.fields())).toEqual(frame);
    }
  });
});

describe('decodeCaptured never throws', () => {
  const inTunnels = readFileSync(new URL('../fixtures/wire/tunnels.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', hex = ''] = line.split(' ');
      return { linktype: name.startsWith('erf') ? 197 : 1, frame: Uint8Array.from(Buffer.from(hex, 'hex')) };
    });

  it(
    `on ${frames} mutated frames in tunnels, nor does it read bytes that are not there`,
    { timeout: 240_000 },
    () => {
      const draw = random(testSeed);
      const seen = { packet: 0, 'not-roce': 0, truncated: 0, malformed: 0 };
      let around = 0;
      for (let i = 0; i < frames; i++) {
        const { linktype, frame: sound } = inTunnels[draw(inTunnels.length)]!;
        const frame = mutated(sound, draw, 170);
        const data = frame.slice();
        const originalLength = draw(3) === 0 ? frame.length + draw(60) : frame.length;
        try {
          const record = { kind: 'frame', number: 1, time: 0n, interface: 0 } as const;
          const decoded = decodeCaptured({ ...record, comments: [], linktype, data, originalLength });
          seen[decoded.kind]++;
          const { within } = decoded;
          if (within !== undefined) {
            around++;
            if (!Number.isInteger(within.length) || within.length < 0)
              throw new Error(`length ${within.length}`);
          }
          if (decoded.kind === 'not-roce' && /undefined|NaN/.test(decoded.reason))
            throw new Error(decoded.reason);
          const packet = 'packet' in decoded ? decoded.packet : undefined;
          if (packet !== undefined) touch(packet);
          if (i % 50 === 0 && Buffer.compare(data, frame) !== 0) throw new Error('bytes were written');
        } catch (error) {
          const hex = Buffer.from(frame).toString('hex');
          throw new Error(
            `seed ${testSeed}, frame ${i} (link type ${linktype}, length ${originalLength}): ${hex}`,
            {
              cause: error,
            },
          );
        }
      }
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(frames / 100);
      expect(around).toBeGreaterThan(frames * 0.4);
    },
  );
});

function noise(draw: (below: number) => number): Uint8Array {
  const bytes = new Uint8Array(draw(120));
  for (let i = 0; i < bytes.length; i++) bytes[i] = draw(256);
  // half of them get as far as the IP header
  if (bytes.length > 14 && draw(2) === 0) bytes.set(draw(2) === 0 ? [8, 0, 0x45] : [0x86, 0xdd, 0x60], 12);
  return bytes;
}

/** One to three of: a bit flipped, a byte set, cut short, grown, bytes taken out of the middle; within the first `reach` bytes. */
function mutated(sound: Uint8Array, draw: (below: number) => number, reach = 90): Uint8Array {
  let frame = sound.slice(0, Math.min(sound.length, 400));
  if (frame.length < sound.length && draw(2) === 0) frame = sound.slice();
  for (let n = draw(3); n >= 0; n--) {
    if (frame.length === 0) return frame;
    const at = draw(Math.min(frame.length, reach));
    const kind = draw(8);
    if (kind < 4) frame[at] = frame[at]! ^ (1 << draw(8));
    else if (kind < 6) frame[at] = draw(256);
    else if (kind === 6) frame = frame.slice(0, draw(frame.length));
    else
      frame = Uint8Array.from([...frame.subarray(0, at), ...frame.subarray(Math.min(frame.length, at + 4))]);
  }
  return frame;
}
