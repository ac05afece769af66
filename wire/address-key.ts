import { remember } from './remember.ts';

// Packets of a capture come in few flows: a small direct-mapped cache makes the key of a flow once, and hands out the
// same string object, whose hash a Map has already computed.
const slots = 1024;
const cached: (string | undefined)[] = Array.from({ length: slots });

/** The `length` bytes (8, 16 or 32) at `at`, one character per byte. */
export function addressKey(bytes: Uint8Array, at: number, length: number): string {
  let hash = length;
  for (let i = at; i < at + length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  const known = cached[slot];
  if (known !== undefined && same(known, bytes, at, length)) return known;
  let key = '';
  for (let i = at; i < at + length; i++) key += String.fromCharCode(bytes[i]!);
  cached[slot] = key;
  return key;
}

function same(key: string, bytes: Uint8Array, at: number, length: number): boolean {
  if (key.length !== length) return false;
  for (let i = 0; i < length; i++) if (key.charCodeAt(i) !== bytes[at + i]) return false;
  return true;
}

/** The key of packets that go the other way. */
export const reversedKey = remember((key) => {
  const half = key.length / 2;
  return key.slice(half) + key.slice(0, half);
});
