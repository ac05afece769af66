import type { Ledger } from '../rulebook/ledger.ts';
import type { Arrivals, Dropped } from './arrivals.ts';
import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { PlacedMemory } from './memory.ts';
import type { Complaints, OwedReplies } from './pending.ts';
import type { Qp } from '../device/qp.ts';
import type { OutOfOrderTables } from './tables.ts';

/** What the out-of-order QPs of a device have in common. */
export interface OooDevice {
  readonly placements: PlacedMemory;
  readonly profile: OutOfOrderProfile | undefined;
}

/** What the parts of a responder's judge share. */
export interface OooResponderContext {
  qp: Qp;
  device: OooDevice;
  /** the receive WQE that the first SEND of this life takes */
  firstReceive: number;
  tables: OutOfOrderTables;
  ledger: Ledger;
  complaints: Complaints;
  owed: OwedReplies;
  arrivals: Arrivals;
  dropped: Dropped[];
}
