import type { Difference } from '../../device/packet/header.ts';
import { psnAdd } from '../../../wire/psn.ts';
import { wrongByLength, wrongMessage } from '../lengths.ts';
import { captureLatitude } from '../../../spec/latitudes.ts';
import type { Asked } from './asked.ts';
import type { CapturedDemand } from '../requester-rules.ts';
import { startsMessage, wrongPartition } from './seen-request.ts';
import type { SeenRequest } from './seen-request.ts';
import { wrongNeighbours, wrongWithinRead } from '../sequence.ts';

/** What is demanded of a request, and how it differs; `read`: that of whose PSNs it has one; `doubtful`: it may be of another connection. */
export type Demanded = (
  key: CapturedDemand,
  wrong: Difference | undefined,
  how?: { read?: SeenRequest; doubtful?: boolean },
) => void;

/**
 * Holds a request that has not been seen with its PSN against those with the PSNs around it, and its length against the path MTU, which the
 * record takes from it. Gives whether it must be of another connection than one of those.
 */
export function firstSight({ record, mtu }: Asked, request: SeenRequest, demanded: Demanded): boolean {
  const { psn } = request;
  const read = record.readAt(psn, mtu);
  if (read !== undefined) {
    const wrong = wrongWithinRead(read.read, read.count, mtu, request);
    demanded(request.family === 'read' ? 'mustTarget' : 'mustOpcode', wrong, { read: read.read });
    return false;
  }
  const [before, after] = [record.at(psnAdd(psn, -1)), record.at(psnAdd(psn, 1))];
  const behindRead = before === undefined && record.readAt(psnAdd(psn, -1), mtu) !== undefined;
  let anew = false;
  if (before !== undefined && before.family !== 'read') anew = neighbours(before, request, demanded);
  else if (behindRead && !startsMessage(request)) demanded('mustOpcode', outOfNowhere(request));
  if (after !== undefined && request.family !== 'read') anew = neighbours(request, after, demanded) || anew;
  if (request.reth !== undefined) demanded('mustTarget', wrongMessage(request));
  const { wrong, doubtful } = wrongByLength(record, request);
  demanded('mustPayload', wrong, { doubtful });
  anew ||= doubtful;
  return anew;
}

/**
 * Behind a pause, another connection may go on where the first one ended, and the capture may lack its first packets. Gives whether that is the
 * only way to have both.
 */
function neighbours(before: SeenRequest, after: SeenRequest, demanded: Demanded): boolean {
  const wrong = wrongNeighbours(before, after);
  const paused = Math.abs(after.lastSeen - before.lastSeen) >= captureLatitude().times.pause;
  const anew = wrong !== undefined && paused;
  if (!anew) demanded('mustOpcode', wrong);
  if (wrong === undefined && !paused && !startsMessage(after)) {
    // no QP gets another P_Key amid a message, unless it migrates
    const partition = wrongPartition(before, after, 'in the packet before it');
    if (partition !== undefined) demanded('mustHeader', partition);
  }
  return anew;
}

function outOfNowhere(request: SeenRequest): Difference {
  return {
    expected: 'the first packet of a message behind a READ',
    observed: `${request.name} with PSN ${request.psn}`,
  };
}
