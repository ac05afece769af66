// An ArrayBuffer of its own costs about ten times as much as a part of a larger one, and weighs on the collector.
const slabBytes = 0x10000;
const largestPart = 0x2000;
let slab = new ArrayBuffer(0);
let used = 0;

/**
 * `length` bytes, all zero, for packets and small memory regions. Small ones share an ArrayBuffer: a reader of
 * `.buffer` must add `byteOffset`, and a part that is kept keeps 64 KiB in memory.
 */
export function zeroed(length: number): Uint8Array {
  if (length > largestPart) return new Uint8Array(length);
  if (used + length > slab.byteLength) {
    slab = new ArrayBuffer(slabBytes);
    used = 0;
  }
  const bytes = new Uint8Array(slab, used, length);
  used += (length + 7) & ~7;
  return bytes;
}

/** A copy that shares nothing with `bytes`. */
export function copied(bytes: Uint8Array): Uint8Array {
  const copy = zeroed(bytes.length);
  copy.set(bytes);
  return copy;
}
