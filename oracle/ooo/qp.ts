import { atomicBytes } from '../../spec/constants.ts';
import type { AccessFlag, Sge } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { offsetIn, scatter, totalLength } from '../device/memory.ts';
import type { Region } from '../device/memory.ts';
import type { Qp } from '../device/qp.ts';
import { spanOf, spansOf } from './memory.ts';
import type { Span } from './memory.ts';
import { placedPacket } from './packet.ts';
import type { PlacedPacket } from './packet.ts';
import type { OooInputs } from './variables.ts';

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
): { region: Region | undefined; rkey: number; va: bigint; length: number } | undefined {
  if (target === undefined) return undefined;
  const { rkey } = target;
  const region = qp.memory.byRkey(rkey);
  if (work === 'read' || work === 'atomic') return { region, rkey, va: target.va, length: target.length };
  return { region, rkey, va: target.va + BigInt(offset), length };
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
  const { rkey, va, length } = remote;
  const { handle, memory, pd } = qp;
  return (
    !memory.windows.isOfOther(rkey, handle) &&
    memory.granting(rkey, pd, rights[kind], va, length) !== undefined
  );
}

/** Whether what a packet names may be closed to it without a fault of anybody: the window that it names may not be bound. */
export function mayBeClosed(qp: Qp, placed: PlacedPacket): boolean {
  const remote = remoteOf(qp, placed);
  if (remote === undefined || placed.work === 'send' || remote.length === 0) return false;
  return accessible(qp, placed) && qp.memory.windows.mayBeClosed(remote.rkey, qp.handle);
}

/** What the far end's use of remote memory is held against. */
export function remoteRights(qp: Qp, packet: Packet): OooInputs['remote'] {
  const placed = placedPacket(packet);
  if (placed?.target === undefined) return noRemote;
  const { work, target } = placed;
  const kind = kindOf(placed);
  return {
    length: target.length,
    allowed: kind === 'send' || qp.access?.includes(rights[kind]) === true,
    aligned: work !== 'atomic' || target.va % BigInt(atomicBytes) === 0n,
    granted: accessible(qp, placed),
  };
}

const noRemote: OooInputs['remote'] = {
  length: 0,
  allowed: false,
  aligned: false,
  granted: false,
};

/** The list of the receive WQE `wqe`, and whether the part that a packet is for, and all of it, may be used. */
export function receiveBuffer(
  qp: Qp,
  { ooeth, payloadLength }: Packet,
  wqe: number | undefined,
): Omit<OooInputs['buffer'], 'overlaps'> {
  const list = wqe === undefined ? undefined : qp.posted.at(wqe)?.sg_list;
  if (list === undefined) return { length: -1, usable: false, sound: false };
  const sound = (sge: Sge): boolean => qp.mayReceiveInto(sge);
  return {
    length: totalLength(list),
    usable: scatter(qp.memory, list, ooeth?.offset ?? 0, payloadLength).every(({ sge }) => sound(sge)),
    sound: list.every(sound),
  };
}
