import {
  creditInvalid,
  credits,
  decodeSyndrome,
  nakCodeByName,
  nakCodes,
  rnrNanoseconds,
} from '../../../spec/constants.ts';
import type { OpcodeInfo, Position } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { msnOf, syndromeOf } from './aeth-word.ts';

export type ReplyKind =
  'ack' | 'sequence-nak' | 'rnr-nak' | 'fatal-nak' | 'read-response' | 'read-middle' | 'atomic-ack';

/** A response packet as the oracle compares it. */
export interface ObservedReply {
  packet: Packet;
  kind: ReplyKind;
  psn: number;
  /** -1 where the packet has no AETH */
  syndrome: number;
  /** the syndrome, or its NAK code, is one that RC does not have; or the response brings data, and refuses by its syndrome */
  reserved: boolean;
  /** receive WQEs that the syndrome offers; -1 where it says nothing of them */
  credits: number;
  /** by the opcode, of READ responses */
  position: Position;
  msn: number;
  /** time that an RNR NAK asks to wait, nanoseconds; 0 of others */
  wait: number;
}

/** Reads a response packet; `undefined` for opcodes that are no RC response. */
export function observeReply(packet: Packet): ObservedReply | undefined {
  const { info } = packet;
  if (info?.kind !== 'response') return undefined;
  const syndrome = syndromeOf(packet.aethWord);
  const msn = msnOf(packet.aethWord);
  const kind = kindOf(info, syndrome);
  const { reserved: unknown, refuses, offered } = meanings[syndrome] ?? silent;
  const reserved = unknown || (refuses && (kind === 'read-response' || kind === 'atomic-ack'));
  const wait = kind === 'rnr-nak' ? rnrNanoseconds(decodeSyndrome(syndrome).value) : 0;
  const { position } = info;
  return { packet, kind, psn: packet.psn, syndrome, reserved, credits: offered, position, msn, wait };
}

const sequenceError = nakCodeByName('psn-sequence-error');
const silent = { reserved: false, refuses: false, offered: -1 };

/** NAK codes of RC. */
const ofRc: ReadonlySet<number> = new Set(
  nakCodes.filter(({ name }) => name !== 'invalid-rd-request').map(({ code }) => code),
);

/** By syndrome byte. */
const meanings = Array.from({ length: 256 }, (_, syndrome) => {
  const { kind, value } = decodeSyndrome(syndrome);
  const offered = kind === 'ack' && value !== creditInvalid ? (credits[value] ?? 0) : -1;
  const reserved = kind === 'reserved' || (kind === 'nak' && !ofRc.has(value));
  return { reserved, refuses: kind !== 'ack', offered };
});

function kindOf({ family, position }: OpcodeInfo, syndrome: number): ReplyKind {
  if (family === 'read') return position === 'middle' ? 'read-middle' : 'read-response';
  if (family === 'atomic') return 'atomic-ack';
  const { kind, value } = decodeSyndrome(syndrome);
  if (kind === 'ack') return 'ack';
  if (kind === 'rnr-nak') return 'rnr-nak';
  return kind === 'nak' && value === sequenceError ? 'sequence-nak' : 'fatal-nak';
}

/** A response as one of the things that a rule allows. */
export function choiceWord({ kind, syndrome }: ObservedReply): string {
  switch (kind) {
    case 'ack':
      return 'Acknowledge';
    case 'read-response':
    case 'read-middle':
      return 'READ response';
    case 'atomic-ack':
      return 'ATOMIC Acknowledge';
    case 'rnr-nak':
      return 'RNR NAK';
    case 'sequence-nak':
    case 'fatal-nak': {
      const { value } = decodeSyndrome(syndrome);
      return `NAK ${nakCodes.find(({ code }) => code === value)?.title ?? value}`;
    }
  }
}

/** Whether a response is a NAK of any kind. */
export function isNak({ kind }: ObservedReply): boolean {
  return kind === 'sequence-nak' || kind === 'rnr-nak' || kind === 'fatal-nak';
}
