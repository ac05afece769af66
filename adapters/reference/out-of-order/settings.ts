import type { OutOfOrderProfile } from '../../../spec/out-of-order.ts';

/** The choices of the reference NIC; times are IRN's, the window is small enough to be met by short messages. */
export const defaultOutOfOrder: OutOfOrderProfile = {
  window: 32,
  cap: 16,
  rto: { low: 100_000, high: 320_000, few: 3 },
  fence: 'indicator',
  fencesAll: false,
};
