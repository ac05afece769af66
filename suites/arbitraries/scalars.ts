import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { PathMtu } from '../../spec/verbs.ts';

/** First PSNs: 0, around the wrap and the middle of the 24-bit space, and anywhere. */
export function startPsn(): fc.Arbitrary<number> {
  return fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(0, 0xffffff, 0xfffffe, 0xfffffd, 0xfffff8, 0x7fffff, 0x800000, 0x7ffffe),
    fc.nat(0xffffff),
  );
}

/** Path MTUs that the device has, smallest first and most often: what large ones show, small ones show faster. */
export function pathMtu(profile: Profile): fc.Arbitrary<PathMtu> {
  const sorted = profile.pathMtus.toSorted((a, b) => a - b);
  return fc.oneof(
    { withCrossShrink: true },
    ...sorted.map((mtu, i) => ({ arbitrary: fc.constant(mtu), weight: Math.max(1, 6 - 2 * i) })),
  );
}

export function ipVersion(profile: Profile): fc.Arbitrary<4 | 6> {
  return fc.constantFrom(...profile.ipVersions.toSorted((a, b) => a - b));
}

/** All 32 codes, the short waits first; 0 is the longest wait. */
export function rnrTimer(): fc.Arbitrary<number> {
  return fc.oneof({ withCrossShrink: true }, fc.constantFrom(12, 1, 31, 0), fc.nat(31));
}

/** READ and ATOMIC requests the responder takes at a time. */
export function readDepth(profile: Profile): fc.Arbitrary<number> {
  const most = Math.min(16, profile.limits.maxDestRdAtomic);
  return fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(Math.min(4, most), 1, most),
    fc.integer({ min: 1, max: most }),
  );
}

/** PSN offsets beyond the expected PSN, the far end of the region included. */
export function ahead(): fc.Arbitrary<number> {
  return fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(1, 2, 3, 0x7ffffe, 0x7fffff),
    fc.integer({ min: 1, max: 0x7fffff }),
  );
}

/** PSN offsets behind the expected PSN, the far end of the region included. */
export function behind(): fc.Arbitrary<number> {
  return fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(-1, -2, -3, -0x7fffff, -0x800000),
    fc.integer({ min: -0x800000, max: -1 }),
  );
}

/** A message's length: whole MTUs plus a few bytes more or less. */
export interface Size {
  mtus: number;
  bytes: number;
}

/** Lengths 0, 1, around multiples of the MTU up to `most` MTUs, and in between. */
export function size(most = 3): fc.Arbitrary<Size> {
  return fc.record({
    mtus: fc.nat(most),
    bytes: fc.oneof(
      { withCrossShrink: true },
      fc.constantFrom(0, 1, -1, 4, 3, 2, -2, -4),
      fc.integer({ min: -60, max: 60 }),
    ),
  });
}

/** Bytes of a size at a path MTU; never negative, and at most `most`. */
export function bytesOf({ mtus, bytes }: Size, mtu: number, most = Number.MAX_SAFE_INTEGER): number {
  return Math.min(most, Math.max(0, mtus * mtu + bytes));
}
