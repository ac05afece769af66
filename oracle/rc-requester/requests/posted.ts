import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { comparedWith, wrongByte, type WrongByte } from '../../device/queues/posted-payload.ts';
import { requestOperation } from '../../device/queues/send-queue.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';
import type { Requester } from '../requester.ts';
import type { RequesterState } from '../state.ts';
import type { RcRequesterInputs } from '../variables.ts';

/** Operation that a packet of a work request has, by its place there. */
export function operationDue({ psn }: Packet, item: WorkItem): string {
  const index = psnDiff(psn, item.psn);
  return requestOperation(item, index === 0, index === item.count - 1);
}

/** The first byte of the payload that is not what memory held; `undefined` where all are, or that is unknown. */
export function payloadDiffers(
  { connection }: Requester,
  { memory }: RequesterState,
  { payload }: Packet,
  item: WorkItem,
  from: number,
): WrongByte | undefined {
  const compare = comparedWith(memory);
  return wrongByte(item, connection.memory, payload, from, (region, offset, bytes) =>
    region.alive ? compare(region, offset, bytes) : undefined,
  );
}

/** What a packet that is sent again has in common with its first copy, field by field; all, where that is forgotten. */
export function asFirst({ copies }: Requester, packet: Packet): RcRequesterInputs['first'] {
  const before = copies.get(packet.psn);
  if (before === undefined) return forgotten;
  const [a, b] = [before.reth, packet.reth];
  const [c, d] = [before.atomicEth, packet.atomicEth];
  return {
    known: true,
    opcode: before.opcode === packet.opcode,
    payload:
      before.payloadLength === packet.payloadLength && Buffer.compare(before.payload, packet.payload) === 0,
    immediate: before.immediate === packet.immediate,
    invalidates: before.invalidateRkey === packet.invalidateRkey,
    reth: a?.va === b?.va && a?.rkey === b?.rkey && a?.dmaLen === b?.dmaLen,
    atomicEth: c?.va === d?.va && c?.swapOrAdd === d?.swapOrAdd && c?.compare === d?.compare,
  };
}

const forgotten: RcRequesterInputs['first'] = {
  known: false,
  opcode: true,
  payload: true,
  immediate: true,
  invalidates: true,
  reth: true,
  atomicEth: true,
};

const fieldNames: readonly (readonly [Exclude<keyof RcRequesterInputs['first'], 'known'>, string])[] = [
  ['opcode', 'opcode'],
  ['payload', 'payload'],
  ['immediate', 'immediate data'],
  ['invalidates', 'R_Key to invalidate'],
  ['reth', 'RETH'],
  ['atomicEth', 'AtomicETH'],
];

/** The first of these fields that is another one, in words. */
export function otherThanFirst(requester: Requester, packet: Packet): string | undefined {
  const same = asFirst(requester, packet);
  return fieldNames.find(([field]) => !same[field])?.[1];
}
