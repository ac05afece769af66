import type { Packet } from '../../../wire/packet.ts';
import { inside } from '../../device/memory.ts';
import type { Arrival } from '../receiving/arrival.ts';
import type { UnreliableQp } from '../qp.ts';
import type { OpenWrite } from '../receiving/state.ts';

/** The fact `access`. Built in, since it looks up memory regions. */
export function access({
  qp,
  state,
  packet,
  opcode,
}: Arrival): 'not-needed' | 'granted' | 'later' | 'denied' {
  const target = opcode.family === 'write' ? targetOf(state, packet) : undefined;
  if (target === undefined) return 'not-needed';
  if (!grants(qp, target, packet.payloadLength)) return 'denied';
  return grants(qp, target, target.announced) ? 'granted' : 'later';
}

/** Remote memory that a WRITE packet names; `undefined` where its message names none. */
export function targetOf(
  write: OpenWrite | undefined,
  packet: Packet,
): { rkey: number; va: bigint; announced: number } | undefined {
  const reth = packet.reth ?? write?.reth;
  if (reth === undefined || reth.dmaLen === 0) return undefined;
  const received = packet.reth ? 0 : (write?.received ?? 0);
  return {
    rkey: reth.rkey,
    va: reth.va + BigInt(received),
    announced: Math.max(0, reth.dmaLen - received),
  };
}

function grants(
  { memory, pd }: UnreliableQp,
  { rkey, va }: { rkey: number; va: bigint },
  length: number,
): boolean {
  const region = memory.byRkey(rkey);
  return (
    region !== undefined &&
    region.alive &&
    region.pd === pd &&
    region.access.includes('IBV_ACCESS_REMOTE_WRITE') &&
    inside(region, va, length)
  );
}
