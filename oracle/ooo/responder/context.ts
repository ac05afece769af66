import type { Qp } from '../../device/qp.ts';
import type { OooDevice } from '../device.ts';
import type { OooBook } from '../tables.ts';
import type { Arrivals, Dropped } from './arrivals.ts';
import type { OwedReplies } from './pending.ts';

/** What the parts of a responder's judge share. */
export interface OooResponderContext {
  readonly qp: Qp;
  readonly device: OooDevice;
  readonly book: OooBook;
  readonly owed: OwedReplies;
  /** the receive WQE that the first SEND of this life takes */
  firstReceive: number;
  arrivals: Arrivals;
  dropped: Dropped[];
  /** a NAK has ended it, or is to */
  failed: boolean;
  /** What follows is not decided, or not followed, for the reason given. */
  readonly leave: (why: string) => void;
}
