import type { Qp } from '../../device/qp.ts';
import type { OooDevice } from '../device.ts';
import type { OooBook, OooRegisters } from '../registers.ts';
import type { Arrivals, Dropped } from './arrivals.ts';
import type { PendingReplies } from './pending.ts';

/** What the parts of a responder's judge share. */
export interface OooResponderContext {
  readonly qp: Qp;
  readonly device: OooDevice;
  readonly book: OooBook;
  readonly registers: OooRegisters;
  readonly pending: PendingReplies;
  arrivals: Arrivals;
  dropped: Dropped[];
  /** What follows is not decided, or not followed, for the reason given. */
  readonly leave: (why: string) => void;
}
