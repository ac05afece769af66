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

type Access = 'not-needed' | 'granted' | 'later' | 'denied';

/** The fact `access`, every value that it may have, the likeliest first. Built in, since it looks up memory regions and windows. */
export function accesses({ qp, state, packet, opcode }: Arrival): readonly Access[] {
  const target = opcode.family === 'write' ? targetOf(state, packet) : undefined;
  if (target === undefined) return ['not-needed'];
  const { handle, memory } = qp;
  const { rkey } = target;
  if (memory.windows.isOfOther(rkey, handle) || !granted(qp, target, packet.payloadLength)) return ['denied'];
  const found = granted(qp, target, target.announced) ? 'granted' : 'later';
  return memory.windows.mayBeClosed(rkey, handle) ? [found, 'denied'] : [found];
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
