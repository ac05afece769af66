import type { Difference } from '../../device/packet/header.ts';
import { comparedWith, otherByteAt, wrongByte } from '../../device/queues/posted-payload.ts';
import type { SentPacket } from '../sending/sent-packet.ts';
import type { UnreliableMachine } from '../tables.ts';
import type { UnreliableVariables } from '../variables.ts';

/** A packet of a work request, and the state of the QP that sends it. */
export interface Judged {
  sent: SentPacket;
  machine: UnreliableMachine;
  sending: UnreliableVariables;
}

/** What the demand `mustPayload` finds wrong with a packet. Built in, since it compares bytes. */
export function wrongPayload({ sent, machine, sending }: Judged): Difference | undefined {
  const { qp, work, packet, around } = sent;
  if (machine.flag('payloadOpen')(sent, sending)) return undefined;
  const from = machine.number('sentOffset')(sent, sending);
  const wrong = wrongByte(work, qp.memory, packet.payload, from, comparedWith(around.memory));
  return wrong && otherByteAt(from + wrong.at);
}
