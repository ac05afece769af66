import { dcqcnTolerance } from '../../../spec/dcqcn.ts';

const near = (a: number, b: number, share: number, least: number): boolean =>
  Math.abs(a - b) <= Math.max(least, share * Math.max(Math.abs(a), Math.abs(b)));

/** Whether two rates are the same, by the tolerance of spec/constants/dcqcn.yaml and the steps that the device keeps them in. */
export function sameRate(a: number, b: number, step = 1): boolean {
  return near(a, b, dcqcnTolerance().rate, Math.max(1, step));
}

export function sameAlpha(a: number, b: number, step = 0): boolean {
  const { alpha } = dcqcnTolerance();
  return near(a, b, alpha, Math.max(alpha, step));
}
