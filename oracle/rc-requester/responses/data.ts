import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';
import type { RequesterState } from '../state.ts';
import type { RcRequesterInputs } from '../variables.ts';

type Data = RcRequesterInputs['data'];

/** What a response brings data for, by its opcode. */
export function dataOf({ info }: Packet): Data {
  const family = info?.kind === 'response' ? info.family : undefined;
  const kind = family === 'read' || family === 'atomic' ? family : 'none';
  return { kind, position: info?.position ?? 'only' };
}

/** READ requests that may have led to a response. Several may be out for one work request; each numbers its responses for itself. */
export function readRequestsFor(
  { reads }: RequesterState,
  { psn }: Packet,
  item: WorkItem | undefined,
): RcRequesterInputs['readRequest'] {
  const before = (sent: number): boolean => psnDiff(sent, item?.psn ?? psn) >= 0 && psnDiff(sent, psn) < 0;
  return { here: reads.includes(psn), before: reads.some(before) };
}
