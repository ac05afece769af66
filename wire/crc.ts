import { crc32 as nativeCrc32 } from 'node:zlib';

function buildTables(): Int32Array[] {
  const first = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    first[n] = c;
  }
  const tables = [first];
  for (let k = 1; k < 4; k++) {
    const before = tables[k - 1]!;
    tables.push(before.map((c) => first[c & 0xff]! ^ (c >>> 8)));
  }
  return tables;
}

const [t0, t1, t2, t3] = buildTables() as [Int32Array, Int32Array, Int32Array, Int32Array];

// Below this many bytes the call into native code costs more than the table.
const nativeFrom = 96;

/** One byte into the CRC register (no final complement), reflected Ethernet polynomial. */
function crcByte(register: number, byte: number): number {
  return t0[(register ^ byte) & 0xff]! ^ (register >>> 8);
}

/** Four bytes, given as the little-endian word they form, into the CRC register. */
export function crcWord(register: number, word: number): number {
  const c = register ^ word;
  return t3[c & 0xff]! ^ t2[(c >>> 8) & 0xff]! ^ t1[(c >>> 16) & 0xff]! ^ t0[c >>> 24]!;
}

/** bytes[from..to) into the CRC register; native code takes the long runs. */
export function crcRange(register: number, bytes: Uint8Array, from: number, to: number): number {
  if (to - from >= nativeFrom) return ~nativeCrc32(bytes.subarray(from, to), ~register >>> 0);
  let c = register;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    c = crcWord(c, bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
  }
  for (; at < to; at++) c = crcByte(c, bytes[at]!);
  return c;
}

/** CRC-32 of Ethernet and zlib over all of `bytes`: unsigned, final complement included. */
export function crc32(bytes: Uint8Array): number {
  return ~crcRange(-1, bytes, 0, bytes.length) >>> 0;
}
