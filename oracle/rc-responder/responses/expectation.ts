import { describeSyndrome } from '../../../wire/index.ts';
import type { PendingReply } from '../pending.ts';

/** A reply that is due, in words; `undefined`: that none is. */
export function expectation(item: PendingReply | undefined): string {
  if (item === undefined) return 'no response';
  const psn =
    item.psnFrom === item.psnTo || item.kind === 'read'
      ? `${item.psnFrom}`
      : `${item.psnFrom} to ${item.psnTo}`;
  switch (item.kind) {
    case 'ack':
      return `Acknowledge of PSN ${psn}`;
    case 'nak':
      return `${describeSyndrome(item.syndrome)} with PSN ${psn}`;
    case 'rnr-nak':
      return `${item.syndrome < 0 ? 'RNR NAK' : describeSyndrome(item.syndrome)} with PSN ${psn}`;
    case 'read': {
      const read = item.read;
      if (read?.readable !== undefined)
        return `READ responses from PSN ${psn}, at most ${read.readable}, and ${describeSyndrome(item.syndrome)} in place of the next`;
      const of =
        read && read.count > 0
          ? ` (response ${read.index + 1} of ${read.count}, ${read.length} bytes in all)`
          : '';
      return `READ responses from PSN ${psn}${of}`;
    }
    case 'atomic':
      return `ATOMIC Acknowledge with PSN ${psn}`;
  }
}
