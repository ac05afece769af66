import type { Packet } from '../../../wire/packet.ts';
import type { Arrival } from '../receiving/arrival.ts';
import type { UnreliableQp } from '../qp.ts';
import type { OpenWrite } from '../receiving/state.ts';

interface Target {
  rkey: number;
  va: bigint;
  /** bytes that the message announces from `va` on */
  announced: number;
}

/** The fact `access`. Built in, since it looks up memory regions. */
export function access({
  qp,
  state,
  packet,
  opcode,
}: Arrival): 'not-needed' | 'granted' | 'later' | 'denied' {
  const target = opcode.family === 'write' ? targetOf(state, packet) : undefined;
  if (target === undefined) return 'not-needed';
  if (!granted(qp, target, packet.payloadLength)) return 'denied';
  return granted(qp, target, target.announced) ? 'granted' : 'later';
}

/** Remote memory that a WRITE packet names; `undefined` where its message names none. */
export function targetOf(write: OpenWrite | undefined, packet: Packet): Target | undefined {
  const reth = packet.reth ?? write?.reth;
  if (reth === undefined || reth.dmaLen === 0) return undefined;
  const received = packet.reth ? 0 : (write?.received ?? 0);
  return {
    rkey: reth.rkey,
    va: reth.va + BigInt(received),
    announced: Math.max(0, reth.dmaLen - received),
  };
}

function granted({ memory, pd }: UnreliableQp, { rkey, va }: Target, length: number): boolean {
  return memory.granting(rkey, pd, 'IBV_ACCESS_REMOTE_WRITE', va, length) !== undefined;
}
