import type { Arrivals, Dropped } from './arrivals.ts';
import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { PlacedMemory } from './memory.ts';
import type { OwedReplies } from './pending.ts';
import type { Qp } from '../device/qp.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import type { OooBook } from './tables.ts';

/** What the out-of-order QPs of a device have in common. */
export interface OooDevice {
  readonly placements: PlacedMemory;
  readonly profile: OutOfOrderProfile | undefined;
  readonly limits: RetryLimits;
}

/** What the parts of a responder's judge share. */
export interface OooResponderContext {
  qp: Qp;
  device: OooDevice;
  /** the receive WQE that the first SEND of this life takes */
  firstReceive: number;
  book: OooBook;
  owed: OwedReplies;
  arrivals: Arrivals;
  dropped: Dropped[];
}
