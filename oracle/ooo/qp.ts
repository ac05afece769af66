import { atomicBytes, longestMessage } from '../../spec/constants.ts';
import type { AccessFlag, Sge } from '../../spec/verbs.ts';
import { grants, offsetIn, scatter, totalLength, usable } from '../device/memory.ts';
import type { Region } from '../device/memory.ts';
import type { Qp } from '../device/qp.ts';
import { spanOf, spansOf } from './memory.ts';
import type { Span } from './memory.ts';
import type { PlacedPacket } from './packet.ts';

const rights: Readonly<Record<'write' | 'read' | 'atomic', AccessFlag>> = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  atomic: 'IBV_ACCESS_REMOTE_ATOMIC',
};

function kindOf({ work }: PlacedPacket): 'send' | 'write' | 'read' | 'atomic' {
  return work === 'write-immediate' ? 'write' : work;
}

/** Remote memory that the packet touches; a region even where its bounds are left. */
export function remoteOf(
  qp: Qp,
  { target, offset, length, work }: PlacedPacket,
): { region: Region | undefined; va: bigint; length: number } | undefined {
  if (target === undefined) return undefined;
  const region = qp.memory.byRkey(target.rkey);
  if (work === 'read' || work === 'atomic') return { region, va: target.va, length: target.length };
  return { region, va: target.va + BigInt(offset), length };
}

/** Bytes of memory that the packet's payload goes to; none where there are none to be had. */
export function destination(qp: Qp, placed: PlacedPacket, wqe: number | undefined): Span[] {
  const { work, offset, length } = placed;
  if (work === 'send') {
    const list = wqe === undefined ? undefined : qp.posted.at(wqe)?.sg_list;
    return list === undefined ? [] : spansOf(qp.memory, list, offset, length);
  }
  const remote = remoteOf(qp, placed);
  if (remote?.region === undefined) return [];
  return spanOf(remote.region, offsetIn(remote.region, remote.va), remote.length);
}

/** All bytes that the receive WQE names. */
export function bufferOf(qp: Qp, wqe: number): Span[] {
  const list = qp.posted.at(wqe)?.sg_list ?? [];
  return spansOf(qp.memory, list, 0, totalLength(list));
}

function accessible(qp: Qp, placed: PlacedPacket): boolean {
  const remote = remoteOf(qp, placed);
  const kind = kindOf(placed);
  if (remote === undefined || kind === 'send' || remote.length === 0) return true;
  const { region, va, length } = remote;
  return grants(region, qp.pd, rights[kind], va, length);
}

/** What is wrong with a packet by itself, as the rules name it. */
export type PlacedFault =
  'none' | 'access' | 'disabled' | 'misaligned' | 'too-long' | 'receive-memory' | 'other';

/** Whether length and offset of a packet can be those of its place in a message. */
export function shapeFits({ pmtu }: Qp, placed: PlacedPacket): boolean {
  const { offset, length, starts, ends } = placed;
  const kind = kindOf(placed);
  if (kind !== 'send' && kind !== 'write') return length === 0 && placed.packet.padCount === 0;
  if (pmtu > 0 && (ends ? length > pmtu : length !== pmtu)) return false;
  if (starts) return offset === 0;
  return length > 0 && offset > 0 && (pmtu === 0 || offset % pmtu === 0);
}

/** What is wrong with the packet by itself. `wqe`: receive WQE with its number, if one is posted. */
export function placedFault(qp: Qp, placed: PlacedPacket, wqe: number | undefined): PlacedFault {
  const { work, target, offset, length, ends } = placed;
  const kind = kindOf(placed);
  if (kind === 'send') return bufferFault(qp, placed, wqe);
  if (target === undefined || target.length > longestMessage) return 'other';
  if (kind === 'write' && offset + length > target.length) return 'other';
  if (kind === 'write' && ends && offset + length !== target.length) return 'other';
  const faults: PlacedFault[] = [];
  if (qp.access?.includes(rights[kind]) !== true) faults.push('disabled');
  if (work === 'atomic' && target.va % BigInt(atomicBytes) !== 0n) faults.push('misaligned');
  if (!accessible(qp, placed)) faults.push('access');
  return oneOf(faults);
}

/** No rule says which of several faults a packet is refused for. */
function oneOf([fault = 'none', ...more]: readonly PlacedFault[]): PlacedFault {
  return more.length > 0 ? 'other' : fault;
}

function bufferFault(
  { posted, memory, pd }: Qp,
  { offset, length }: PlacedPacket,
  wqe: number | undefined,
): PlacedFault {
  const list = wqe === undefined ? undefined : posted.at(wqe)?.sg_list;
  if (list === undefined) return 'other';
  const sound = (sge: Sge): boolean => usable(memory.byLkey(sge.lkey), pd, sge, true);
  const faults: PlacedFault[] = [];
  if (offset + length > totalLength(list)) faults.push('too-long');
  if (scatter(memory, list, offset, length).some(({ sge }) => !sound(sge))) faults.push('receive-memory');
  // a device may look at the whole list before it places the first byte
  else if (!list.every(sound)) faults.push('other');
  return oneOf(faults);
}
