import { atomicBytes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { changed, clipped, scatter } from '../../device/memory.ts';
import type { ByteClass } from '../../device/objects/byte-classes.ts';
import type { Requester } from '../requester.ts';
import type { RequesterState } from '../state.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';

/** The memory of a READ or ATOMIC may have any content: until its responses are there, or since it has failed. */
export function openWork(requester: Requester, state: RequesterState, item: WorkItem): void {
  if (item.kind === 'read' || item.kind === 'atomic')
    put(requester, state, item, 0, item.length, 'undefined');
}

/** The payload of a response goes to the memory of its work request. */
export function landResponse(
  requester: Requester,
  state: RequesterState,
  item: WorkItem | undefined,
  packet: Packet,
): void {
  if (item === undefined) return;
  const bytes = item.kind === 'atomic' ? original(packet) : packet.payload;
  const offset = psnDiff(packet.psn, item.psn) * requester.attributes.pmtu;
  put(requester, state, item, item.kind === 'atomic' ? 0 : offset, bytes.length, 'fetched', bytes);
}

/** The value of an ATOMIC Acknowledge as it is in the memory of a little-endian host. */
function original(packet: Packet): Uint8Array {
  const bytes = new Uint8Array(atomicBytes);
  new DataView(bytes.buffer).setBigUint64(0, packet.atomicOriginal ?? 0n, true);
  return bytes;
}

function put(
  { connection }: Requester,
  state: RequesterState,
  item: WorkItem,
  from: number,
  length: number,
  byteClass: ByteClass,
  bytes?: Uint8Array,
): void {
  let at = 0;
  for (const { region, offset, length: size } of scatter(connection.memory, item.wr.sg_list, from, length)) {
    const part = bytes?.subarray(at, at + size);
    at += size;
    if (region === undefined) continue;
    const inside = clipped(region, offset, size);
    if (inside === undefined) continue;
    const { begin, end } = inside;
    // what goes beyond its region fails, and may have been placed as far as the region goes
    const fits = end - begin === size;
    const placed = fits ? { bytes: part, byteClass } : { bytes: undefined, byteClass: 'undefined' as const };
    state.memory = changed(state.memory, { region, offset: begin, length: end - begin, ...placed });
  }
}
