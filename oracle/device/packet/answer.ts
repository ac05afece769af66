import { decodeSyndrome, nakCodes, rnrNanoseconds } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';

export type AnswerKind =
  | 'ack'
  | 'sequence-nak'
  | 'rnr-nak'
  | 'invalid-request'
  | 'remote-access-error'
  | 'remote-operational-error'
  | 'reserved'
  | 'read-response'
  | 'atomic-ack'
  | 'other';

/** What a response packet says; `wait` is the time of an RNR NAK in nanoseconds. */
export interface Answer {
  kind: AnswerKind;
  wait: number;
}

const retryable = 'psn-sequence-error';

export function answerOf(packet: Packet): Answer {
  const { aeth, info } = packet;
  if (info?.kind !== 'response') return { kind: 'other', wait: 0 };
  if (info.family === 'read') return { kind: 'read-response', wait: 0 };
  if (info.family === 'atomic') return { kind: 'atomic-ack', wait: 0 };
  if (aeth === undefined) return { kind: 'other', wait: 0 };
  const { kind, value } = decodeSyndrome(aeth.syndrome);
  switch (kind) {
    case 'ack':
      return { kind: 'ack', wait: 0 };
    case 'rnr-nak':
      return { kind: 'rnr-nak', wait: rnrNanoseconds(value) };
    case 'reserved':
      return { kind: 'reserved', wait: 0 };
    case 'nak': {
      const name = nakCodes.find(({ code }) => code === value)?.name;
      if (name === retryable) return { kind: 'sequence-nak', wait: 0 };
      if (name === 'invalid-request' || name === 'remote-access-error' || name === 'remote-operational-error')
        return { kind: name, wait: 0 };
      return { kind: 'reserved', wait: 0 };
    }
  }
}
