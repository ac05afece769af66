/**
 * A rate worked out by hand: DC-QCN with the parameters of the paper at 40 Gb/s, CNPs at 0 and at 150 us, nothing sent, so that
 * the timer alone brings increases. Rates in Gb/s, times in microseconds.
 *
 * - 0: the first CNP cuts at once, with alpha 1, to 40 * (1 - 1/2) = 20; the target is 40.
 * - 55, 110: fast recovery, (20 + 40) / 2 = 30 and (30 + 40) / 2 = 35.
 * - alpha: the slot that ends at 55 held a CNP, (255 * 1 + 1) / 256 = 1; that at 110 none, 255/256.
 * - 150: the second CNP cuts to 35 * (1 - 255/512) = 35 * 257/512 = 17.568359375; the target is 35, the gap d = 17.431640625.
 * - n-th event of fast recovery, n = 1..5, at 150 + 55 n: the gap has been halved n times, 35 - d / 2^n.
 * - k-th event of active increase, k = 1..5: the target is 35 + 0.04 k. The gap d' obeys d'(k) = (d'(k-1) + 0.04) / 2, so it is
 *   0.04 + (d/32 - 0.04) / 2^k, and the rate is the target less that.
 * - m-th event of hyper increase: the target is 35.2 + 0.4 m, the gap 0.4 + (g - 0.4) / 2^m, where g is the last gap before.
 */
export interface Point {
  /** microseconds */
  at: number;
  /** Gb/s */
  rate: number;
  target: number;
}

export const cnpsAt = [0, 150];
export const line = 40;
const period = 55;
const threshold = 5;
const active = 0.04;
const hyper = 0.4;
const gap = (35 * 255) / 512;

/** What the rate is from each cut and increase on, up to `events` increases behind the second cut. */
export function handTrace(events: number): Point[] {
  const points: Point[] = [
    { at: 0, rate: 20, target: 40 },
    { at: 55, rate: 30, target: 40 },
    { at: 110, rate: 35, target: 40 },
    { at: 150, rate: (35 * 257) / 512, target: 35 },
  ];
  for (let n = 1; n <= events; n++) points.push({ at: 150 + period * n, ...behind(n) });
  return points;
}

/** Rate and target behind the n-th increase since the second cut. */
function behind(n: number): { rate: number; target: number } {
  const recovered = gap / 2 ** Math.min(n, threshold);
  if (n <= threshold) return { rate: 35 - recovered, target: 35 };
  const k = Math.min(n - threshold, threshold);
  const afterActive = active + (recovered - active) / 2 ** k;
  const target = 35 + active * k;
  if (n <= 2 * threshold) return { rate: target - afterActive, target };
  const m = n - 2 * threshold;
  const raised = target + hyper * m;
  return { rate: raised - (hyper + (afterActive - hyper) / 2 ** m), target: raised };
}
