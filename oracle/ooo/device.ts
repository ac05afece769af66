import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import type { PlacedMemory } from './memory.ts';

/** What the out-of-order QPs of a device have in common. */
export interface OooDevice {
  readonly placements: PlacedMemory;
  readonly profile: OutOfOrderProfile | undefined;
  readonly limits: RetryLimits;
}
