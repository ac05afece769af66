import type { Ledger } from '../rulebook/ledger.ts';
import type { Arrivals, Dropped } from './arrivals.ts';
import type { Complaints, OwedReplies } from './pending.ts';
import type { OutOfOrderQp } from './qp.ts';
import type { OutOfOrderTables } from './tables.ts';

/** What the parts of a responder's judge share. */
export interface OooResponderContext {
  qp: OutOfOrderQp;
  tables: OutOfOrderTables;
  ledger: Ledger;
  complaints: Complaints;
  owed: OwedReplies;
  arrivals: Arrivals;
  dropped: Dropped[];
}
