import { firstDifference, readMemory, scatter } from '../../device/memory.ts';
import type { SentPacket } from '../sending/sent-packet.ts';
import type { UnreliableMachine } from '../tables.ts';
import type { UnreliableVariables } from '../variables.ts';

export type Found = [expected: string, observed: string];

/** A packet of a work request, and the state of the QP that sends it. */
export interface Judged {
  sent: SentPacket;
  machine: UnreliableMachine;
  sending: UnreliableVariables;
}

/** What the demand `mustPayload` finds wrong with a packet. Built in, since it compares bytes. */
export function wrongPayload({ sent, machine, sending }: Judged): Found | undefined {
  const { qp, work, packet, around } = sent;
  if (machine.flag('payloadOpen')(sent, sending)) return undefined;
  const { payload } = packet;
  const from = machine.number('sentOffset')(sent, sending);
  const wrong = (at: number): Found => [
    'the bytes of the work request',
    `another byte at ${from + at} of the message`,
  ];
  const { inline, wr } = work;
  if (inline !== undefined) {
    const want = inline.subarray(from, from + payload.length);
    const at = payload.findIndex((byte, i) => byte !== want[i]);
    return at < 0 ? undefined : wrong(at);
  }
  let done = 0;
  for (const { region, offset, length } of scatter(qp.memory, wr.sg_list, from, payload.length)) {
    if (region !== undefined) {
      const view = readMemory(around.memory, region, offset, length);
      const at = firstDifference(view, payload.subarray(done, done + length));
      if (at >= 0) return wrong(done + at);
    }
    done += length;
  }
  return undefined;
}
