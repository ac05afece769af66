/** Packet sequence numbers: 24 bits, arithmetic modulo 2^24. */
export const psnMask = 0xffffff;
/** How many PSNs there are, 2^24. */
export const psnModulus = 0x1000000;
const half = 0x800000;

/** psn + n, wrapped; n may be negative. */
export function psnAdd(psn: number, n: number): number {
  return (psn + n) & psnMask;
}

/** Signed distance a - b in -2^23 .. 2^23-1: 0 equal, positive if a is ahead of b. */
export function psnDiff(a: number, b: number): number {
  const d = (a - b) & psnMask;
  return d >= half ? d - psnModulus : d;
}

/** Region of a request's PSN against the expected one: behind by 1..2^23 is duplicate, ahead by 1..2^23-1 is ahead. */
export function psnRegion(psn: number, expected: number): 'expected' | 'ahead' | 'duplicate' {
  const d = psnDiff(psn, expected);
  return d === 0 ? 'expected' : d > 0 ? 'ahead' : 'duplicate';
}
