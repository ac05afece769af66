import { reservedBits, samePkey } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import { endsOf, requestShape } from '../../device/packet/opcode-shape.ts';
import type { Family } from '../../device/packet/opcode-shape.ts';
import type { Position } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';

/** The message that a packet belongs to, as its first packet announces it. */
export interface SeenMessage {
  readonly psn: number;
  /** bytes that its RETH announces; `undefined` of a SEND */
  readonly bytes: number | undefined;
}

/** What a request packet of a capture says that its repetition has to say as well. Holds none of the frame. */
export interface SeenRequest {
  readonly psn: number;
  readonly opcode: number;
  readonly name: string;
  readonly family: Family;
  readonly position: Position;
  readonly length: number;
  readonly pad: number;
  readonly immediate: number | undefined;
  readonly invalidates: number | undefined;
  readonly solicited: boolean;
  readonly pkey: number;
  readonly migReq: boolean;
  readonly reth: Packet['reth'];
  readonly atomicEth: Packet['atomicEth'];
  /** IPv4 identification of the newest sight; of a copy it is the same */
  ipId: number | undefined;
  message: SeenMessage | undefined;
  /** when it was seen last, and how often */
  lastSeen: number;
  sights: number;
  /** another request came with its PSN, so that it is unknown which of them the responder has taken */
  disputed: boolean;
  /** original value that an ATOMIC was answered with */
  original: bigint | undefined;
}

export function seenRequest(packet: Packet, t: number): SeenRequest {
  const { psn, opcode, payloadLength: length, padCount: pad, immediate, reth, atomicEth, info } = packet;
  const { invalidateRkey: invalidates, solicited, pkey, migReq } = packet;
  const { family, position, starts } = requestShape(opcode);
  return {
    psn,
    opcode,
    name: info?.name ?? `opcode ${opcode}`,
    family,
    position,
    length,
    pad,
    immediate,
    invalidates,
    solicited,
    pkey,
    migReq,
    reth,
    atomicEth,
    ipId: packet.ipId,
    message: starts ? { psn, bytes: reth?.dmaLen } : undefined,
    lastSeen: t,
    sights: 1,
    disputed: false,
    original: undefined,
  };
}

/** The same as an object of its own, which outlives the record that it is taken from. */
export function copyOf(request: SeenRequest): SeenRequest {
  const { psn, opcode, name, family, position, length, pad, immediate, invalidates } = request;
  const { solicited, pkey, migReq, reth, atomicEth, ipId, message, lastSeen, sights, disputed } = request;
  const header = { psn, opcode, name, family, position, length, pad, immediate, invalidates };
  const rest = { solicited, pkey, migReq, reth, atomicEth, ipId, message, lastSeen, sights, disputed };
  return { ...header, ...rest, original: request.original };
}

/** Whether the packet is the first one of a message. */
export function startsMessage({ position }: SeenRequest): boolean {
  return endsOf(position).starts;
}

/** What is wrong by its header alone, and makes no receiver discard it. */
export function wrongReserved(packet: Packet): Difference | undefined {
  const observed = reservedBits(packet);
  return observed === undefined ? undefined : { expected: 'reserved bits of the BTH 0', observed };
}

/** What is wrong with the reserved byte of its DETH. */
export function wrongDeth({ deth }: Packet): Difference | undefined {
  const expected = 'reserved byte of the DETH 0';
  if (deth?.reserved === undefined) return undefined;
  return { expected, observed: `reserved byte of the DETH 0x${deth.reserved.toString(16)}` };
}

/** Whether it may wake the software of the far end. */
export function tellsSoftware({ family, position, immediate }: SeenRequest): boolean {
  return endsOf(position).ends && (family === 'send' || (family === 'write' && immediate !== undefined));
}

/** How its solicited event bit differs from that of the packet that had its PSN before. */
export function wrongSolicited(before: SeenRequest, again: SeenRequest): Difference | undefined {
  if (before.solicited === again.solicited) return undefined;
  return {
    expected: `SE ${Number(before.solicited)}, as in the first copy`,
    observed: `SE ${Number(again.solicited)}`,
  };
}

/**
 * How its P_Key differs from that of the packet that had its PSN before, or of the packet before it in the same message; another path may be in
 * another partition.
 */
export function wrongPartition(
  before: SeenRequest,
  request: SeenRequest,
  where: 'in the first copy' | 'in the packet before it',
): Difference | undefined {
  if (before.migReq !== request.migReq || samePkey(before.pkey, request.pkey)) return undefined;
  const text = (pkey: number): string => `P_Key 0x${pkey.toString(16).padStart(4, '0')}`;
  return { expected: `${text(before.pkey)}, as ${where}`, observed: text(request.pkey) };
}

export function wrongVersion({ tver }: Packet): Difference | undefined {
  return tver === 0 ? undefined : { expected: 'TVer 0', observed: `TVer ${tver}` };
}
