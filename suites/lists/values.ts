import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { Size } from '../arbitraries/scalars.ts';

/** Elements of a list that every device has room for, as far as scenarios go. */
const fewest = 16;

/** Elements that a list of this device may have. */
export function mostElements({ limits }: Profile): number {
  return limits.maxSge ?? fewest;
}

/** Elements of a short list: 1 to 8, or as many as the device has. */
export function fewElements(profile: Profile): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: Math.min(8, mostElements(profile)) });
}

/**
 * Times that a long message names its memory, which is that much shorter: a power of two, so that the longest message of a port is reached
 * to the byte.
 */
export function timesNamed(profile: Profile): number {
  return 2 ** Math.floor(Math.log2(Math.min(32, mostElements(profile))));
}

/** Elements of a list, up to as many as there may be. One of no bytes is none of them: some devices take it for 2^31. */
export function listLengths(profile: Profile): number[] {
  const most = mostElements(profile);
  return [1, 2, 3, 8, fewest, most].filter((length, i, all) => length <= most && all.indexOf(length) === i);
}

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
