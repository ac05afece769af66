/** Bytes that `fill()` of harness.c makes, from a place of their own on. */
export interface Pattern {
  /** that many bytes into the fill */
  at: number;
  /** byte at the begin of the fill */
  first: number;
}

const block = 256;

/** Bytes of a payload from which on a call says it better than a list. */
const long = 32;

/** How `fill()` would make these bytes; undefined where they are few, or others. */
export function patternOf(bytes: Uint8Array): Pattern | undefined {
  if (bytes.length <= long) return undefined;
  for (let at = 0; at < block; at++) {
    const first = ((bytes[0] ?? 0) - 7 * at) & 0xff;
    if (bytes.every((byte, i) => byte === byteAt({ at, first }, i))) return { at, first };
  }
  return undefined;
}

function byteAt({ at, first }: Pattern, i: number): number {
  const place = at + i;
  return (first + 13 * Math.floor(place / block) + 7 * (place % block)) & 0xff;
}
