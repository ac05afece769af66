import type { Difference } from '../../device/packet/header.ts';
import { numbersOf, placedPacket } from '../../ooo/packet.ts';
import type { PlacedWork } from '../../ooo/packet.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnAdd } from '../../../wire/psn.ts';
import { seenRequest } from '../requests/seen-request.ts';
import type { SeenRequest } from '../requests/seen-request.ts';

/** A request packet of an out-of-order QP in a capture. Holds none of the frame. */
export interface SeenPlaced extends SeenRequest {
  readonly work: PlacedWork;
  readonly ends: boolean;
  /** recv_WQE_SN and read_WQE_SN that it carries, -1 for none, and its offset in bytes */
  readonly receive: number;
  readonly read: number;
  readonly offset: number;
  /** bytes of the whole message, where it says so */
  readonly announced: number | undefined;
  /** numbers that the next message is to have, -1 where the capture does not show it */
  nextReceive: number;
  nextRead: number;
}

/** `undefined` for what no request of an out-of-order QP looks like. */
export function seenPlaced(packet: Packet, t: number): SeenPlaced | undefined {
  const placed = placedPacket(packet);
  if (placed === undefined) return undefined;
  const { receive = -1, read = -1, offset = 0 } = numbersOf(packet);
  const { work, ends, target } = placed;
  return {
    ...seenRequest(packet, t),
    work,
    ends,
    receive,
    read,
    offset,
    announced: target?.length,
    nextReceive: receive < 0 ? -1 : ends ? psnAdd(receive, 1) : receive,
    nextRead: read < 0 ? -1 : psnAdd(read, 1),
  };
}

/** What it carries no number of, the packet before it counts. */
export function countOn(before: SeenPlaced, after: SeenPlaced): void {
  if (after.nextReceive < 0) after.nextReceive = before.nextReceive;
  if (after.nextRead < 0) after.nextRead = before.nextRead;
}

/** How a number that only some packets carry is there or not. */
export function wrongPresence(name: string, number: number, due: boolean): Difference | undefined {
  return number >= 0 === due ? undefined : differing(name, due ? 'one' : 'none', number);
}

/** How a number differs from the one that is due; -1 due: it is not known. */
export function wrongNumber(name: string, number: number, due: number): Difference | undefined {
  return due < 0 || number < 0 || number === due ? undefined : differing(name, due, number);
}

function differing(name: string, due: number | string, number: number): Difference {
  return { expected: `${name}: ${due}`, observed: `${name}: ${number < 0 ? 'none' : number}` };
}
