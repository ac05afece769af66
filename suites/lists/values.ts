import type { Size } from '../arbitraries/scalars.ts';

/** Elements of a list. One of no bytes is none of them: some devices take it for 2^31. */
export const listLengths = [1, 2, 3, 8, 16] as const;

/** 0, 1, as many bytes as elements, and what is one byte less than a path MTU, as long, and a byte more than two of them. */
export function listSizes(elements: number): Size[] {
  return [
    { mtus: 0, bytes: 0 },
    { mtus: 0, bytes: 1 },
    { mtus: 0, bytes: elements },
    { mtus: 1, bytes: -1 },
    { mtus: 1, bytes: 0 },
    { mtus: 2, bytes: 1 },
  ];
}

/** Immediate values: at both ends, and where a sign or the order of bytes would show. */
export const immediates = [0, 0xffffffff, 1, 0x80000000, 0x01020304] as const;
