import type { Profile } from '../../adapters/adapter.ts';
import type { Size } from '../arbitraries/scalars.ts';

/** Elements of a list that every device has room for, as far as scenarios go. */
const fewest = 16;

/** Elements that a list of this device may have. */
export function mostElements({ limits }: Profile): number {
  return limits.maxSge ?? fewest;
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
