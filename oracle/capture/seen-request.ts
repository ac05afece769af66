import type { Difference } from '../device/packet/header.ts';
import { requestShape } from '../device/packet/opcode-shape.ts';
import type { Family, Position } from '../device/packet/opcode-shape.ts';
import type { Packet } from '../../wire/packet.ts';

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
  readonly immediate: number | undefined;
  readonly reth: Packet['reth'];
  readonly atomicEth: Packet['atomicEth'];
  /** IPv4 identification of the newest sight; of a copy it is the same */
  ipId: number | undefined;
  message: SeenMessage | undefined;
  /** when it was seen last, and how often */
  lastSeen: number;
  sights: number;
  /** another request came with its PSN, so that nobody knows which of them the responder has taken */
  disputed: boolean;
  /** original value that an ATOMIC was answered with */
  original: bigint | undefined;
}

export function seenRequest(packet: Packet, t: number): SeenRequest {
  const { psn, opcode, payloadLength: length, immediate, reth, atomicEth, info } = packet;
  const { family, position } = requestShape(opcode);
  const starts = position === 'first' || position === 'only';
  return {
    psn,
    opcode,
    name: info?.name ?? `opcode ${opcode}`,
    family,
    position,
    length,
    immediate,
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

/** Whether the packet is the first one of a message. */
export function startsMessage({ position }: SeenRequest): boolean {
  return position === 'first' || position === 'only';
}

export function wrongVersion({ tver }: Packet): Difference | undefined {
  return tver === 0 ? undefined : { expected: 'TVer 0', observed: `TVer ${tver}` };
}
