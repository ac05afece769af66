import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';
import type { RequesterState } from '../state.ts';
import type { RcRequesterInputs } from '../variables.ts';

type Data = RcRequesterInputs['data'];

const readResponse = 'RDMA_READ_RESPONSE_';
const positions: Readonly<Record<string, Data['position']>> = {
  ONLY: 'only',
  FIRST: 'first',
  MIDDLE: 'middle',
  LAST: 'last',
};

/** What a response brings data for, by its opcode. */
export function dataOf({ info }: Packet): Data {
  const operation = info?.operation ?? '';
  if (operation === 'ATOMIC_ACKNOWLEDGE') return { kind: 'atomic', position: 'only' };
  if (!operation.startsWith(readResponse)) return { kind: 'none', position: 'only' };
  return { kind: 'read', position: positions[operation.slice(readResponse.length)] ?? 'middle' };
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
