import { describeSyndrome, psnAdd } from '../../../wire/index.ts';
import type { PendingRead, PendingReply } from '../pending.ts';

/** Where the next response stands among those of its READ, as its opcode says it. */
function placeOf({ index, count }: PendingRead): string {
  if (count === 1) return 'ONLY';
  if (index === 0) return 'FIRST';
  return index === count - 1 ? 'LAST' : 'MIDDLE';
}

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
      if (read === undefined || read.count <= 0) return `READ responses from PSN ${psn}`;
      const { index, count, length } = read;
      const which = `response ${index + 1} of ${count}, ${length} bytes in all`;
      return `RDMA_READ_RESPONSE_${placeOf(read)} with PSN ${psnAdd(item.psnFrom, index)} (${which})`;
    }
    case 'atomic':
      return `ATOMIC Acknowledge with PSN ${psn}`;
  }
}
