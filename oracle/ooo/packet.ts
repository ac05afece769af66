import { atomicBytes } from '../../spec/constants.ts';
import { ooethFlags, saethFlags } from '../../wire/packet.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import { requestShape, serviceOfOpcode } from '../device/packet/opcode-shape.ts';
import type { OooInputs } from './variables.ts';

/** What a request packet is a part of, as the rules name it. */
export type PlacedWork = 'send' | 'write' | 'write-immediate' | 'read' | 'atomic';

/** A request packet of an out-of-order QP as far as a responder's rules look at it. */
export interface PlacedPacket {
  packet: Packet;
  work: PlacedWork;
  /** it is the first of its message */
  starts: boolean;
  /** it is the last of its message */
  ends: boolean;
  /** where its payload begins in the data of the message, bytes */
  offset: number;
  length: number;
  /** read_WQE_SN, where it carries one */
  readNumber: number | undefined;
  /** remote memory of the whole message */
  target: { va: bigint; rkey: number; length: number } | undefined;
}

/** `undefined` for what no request of an out-of-order QP looks like. */
export function placedPacket(packet: Packet): PlacedPacket | undefined {
  const { ooeth, reth, atomicEth } = packet;
  const { family, immediate, starts, ends } = requestShape(packet.opcode);
  if (ooeth === undefined || family === 'other') return undefined;
  const atomic = atomicEth && { va: atomicEth.va, rkey: atomicEth.rkey, length: atomicBytes };
  const remote = reth && { va: reth.va, rkey: reth.rkey, length: reth.dmaLen };
  return {
    packet,
    work: family === 'write' && immediate ? 'write-immediate' : family,
    starts,
    ends,
    offset: ooeth.offset,
    length: packet.payloadLength,
    readNumber: (ooeth.flags & ooethFlags.readWqe) === 0 ? undefined : ooeth.readWqeSn,
    target: atomic ?? remote,
  };
}

/** Numbers that a packet carries, as expressions have them. */
export function numbersOf({ ooeth }: Packet): OooInputs['number'] {
  if (ooeth === undefined) return { receive: -1, read: -1, offset: -1 };
  const { flags, recvWqeSn, readWqeSn, offset } = ooeth;
  return {
    receive: (flags & ooethFlags.recvWqe) === 0 ? -1 : recvWqeSn,
    read: (flags & ooethFlags.readWqe) === 0 ? -1 : readWqeSn,
    offset,
  };
}

/** Whether the opcode byte is one of an out-of-order QP. */
export function isOutOfOrder(packet: Packet): boolean {
  return serviceOfOpcode(packet.opcode) === 'ORC';
}

/** PSN that an Acknowledge tells as its cause, and whether it acknowledges that one selectively. */
export function causeOf(packet: Packet): { trigger: number; selective: boolean } | undefined {
  const { saeth } = packet;
  return saeth && { trigger: saeth.trigger, selective: (saeth.flags & saethFlags.selective) !== 0 };
}

/** A response as the rules name it. */
export type PlacedReply =
  'ack' | 'selective' | 'sequence-nak' | 'rnr-nak' | 'fatal-nak' | 'read-response' | 'atomic-ack';

export function placedReply({ kind, packet }: ObservedReply): PlacedReply {
  switch (kind) {
    case 'ack':
      return isOutOfOrder(packet) && causeOf(packet)?.selective === true ? 'selective' : 'ack';
    case 'read-middle':
      return 'read-response';
    case 'sequence-nak':
    case 'rnr-nak':
    case 'fatal-nak':
    case 'read-response':
    case 'atomic-ack':
      return kind;
  }
}

/** 24-bit numbers as counters that do not wrap: 0 is the first one. */
export class Counter {
  readonly first: number;

  constructor(first: number) {
    this.first = first;
  }

  /** The count that a number stands for, next to another one. */
  near(number: number, count: number): number {
    return count + psnDiff(number, this.number(count));
  }

  number(count: number): number {
    return psnAdd(this.first, count);
  }
}
