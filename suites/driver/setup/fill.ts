import { zeroed } from '../../../wire/index.ts';

// Steps of 7 modulo 256 take every value once, so that any value is the start of 256 bytes somewhere in here.
const step = 7;
const ramp = Uint8Array.from({ length: 512 }, (_, i) => i * step);
const placeOf = new Uint8Array(256);
for (let i = 0; i < 256; i++) placeOf[ramp[i] ?? 0] = i;

/** Bytes of a region or message: a function of the seed alone, neighbours always differ. */
export function fillBytes(seed: number, length: number): Uint8Array {
  const bytes = zeroed(length);
  let value = (seed * 89 + 17) & 0xff;
  for (let at = 0; at < length; at += 256) {
    const place = placeOf[value] ?? 0;
    bytes.set(ramp.subarray(place, place + Math.min(256, length - at)), at);
    // The next block starts elsewhere, so that blocks differ as well.
    value = (value + 13) & 0xff;
  }
  return bytes;
}
