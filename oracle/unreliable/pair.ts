import type { UnreliableQp } from './qp.ts';
import type { UnreliableReceiver } from './receiver.ts';
import type { UnreliableSender } from './sender.ts';

/** Both sides of one UC or UD QP. */
export interface UnreliablePair {
  qp: UnreliableQp;
  receiver: UnreliableReceiver;
  sender: UnreliableSender;
}
