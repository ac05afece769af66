import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { readable } from '../rc-responder/read.ts';
import { within } from '../device/memory.ts';
import type { OooQp } from './qp.ts';
import { answerRead } from './reply.ts';

/** The mutant that stores what it refuses, where any region has the place. */
export function storeRefused(core: Core, packet: Packet): void {
  const { reth, ooeth, payload } = packet;
  if (core.fault !== 'ooo-refused-stored' || reth === undefined || ooeth === undefined) return;
  const va = reth.va + BigInt(ooeth.offset);
  const region = core.memory.byRkey(reth.rkey);
  const place = region?.valid === true ? within(region, va, payload.length) : undefined;
  place?.bytes.set(payload, place.offset);
}

/** The mutant that has a READ consume a receive WQE, and tells so. */
export function completeRead(core: Core, qp: OooQp, bytes: number): void {
  if (core.fault !== 'ooo-read-completes-receive') return;
  core.complete(qp.recvCq, {
    wr_id: qp.receiveQueue.wqes[0]?.wr_id ?? 0,
    status: 'IBV_WC_SUCCESS',
    opcode: 'IBV_WC_RECV',
    byte_len: bytes,
    qp_num: qp.num,
  });
}

/** what a mutant read for a READ when it came */
export const stale = new WeakMap<Packet, Uint8Array>();

/** What a mutant read for a READ when it came. */
export function staleData(packet: Packet): Uint8Array | undefined {
  return stale.get(packet);
}

/** The mutant that answers the READ behind this one first, where that is here already. */
export function answerNextFirst(core: Core, qp: OooQp, { psn }: Packet): void {
  const next = qp.ooo.responder.arrived.get(psnAdd(psn, 1));
  if (core.fault !== 'ooo-read-swapped' || next?.request.kind !== 'read') return;
  const { reth, ooeth } = next.packet;
  const data = reth === undefined ? undefined : readable(core, qp, reth);
  if (data !== undefined) answerRead(core, qp, { sn: ooeth?.readWqeSn ?? 0, packet: next.packet }, data);
}
