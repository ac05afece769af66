import type { OutOfOrderProfile } from '../../../spec/out-of-order.ts';

/**
 * The choices of the reference NIC; the window is small enough to be met by short messages. The low timeout is IRN's; the high one
 * is more than four times as long, so that whichever of the two a requester takes shows in the time it takes.
 */
export const defaultOutOfOrder: Required<OutOfOrderProfile> = {
  window: 32,
  cap: 16,
  rto: { low: 100_000, high: 500_000, few: 3 },
  fence: 'indicator',
  fencesAll: false,
};
