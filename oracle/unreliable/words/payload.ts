import { firstDifference, readMemory, scatter } from '../../device/memory.ts';
import type { SentPacket } from '../sent-packet.ts';
import type { UnreliableMachine } from '../machine.ts';
import type { UnreliableVariables } from '../variables.ts';

type Found = [expected: string, observed: string] | undefined;

/** What the demand `mustPayload` finds wrong with a packet. Built in, since it compares bytes. */
export function wrongPayload(
  machine: UnreliableMachine,
  sending: UnreliableVariables,
  sent: SentPacket,
): Found {
  const { qp, item, packet, around } = sent;
  if (item === undefined || !machine.opcodeAsPosted(sent, sending)) return undefined;
  const { payload } = packet;
  const from = item.sent * (item.packets > 1 ? qp.pmtu : 0);
  // a wrong length is told by itself
  if (machine.payloadOpen(sent, sending) || from + payload.length > item.length) return undefined;
  const wrong = (at: number): Found => [
    'the bytes of the work request',
    `another byte at ${from + at} of the message`,
  ];
  const { inline, wr } = item.posted;
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
