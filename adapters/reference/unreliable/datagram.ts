import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { receiveDomain, type RecvWqe } from '../device/receive-queue.ts';
import { scatter, sgeBytes } from '../device/memory/sge-list.ts';
import { announce } from '../rc-responder/announce.ts';
import { lengthFits } from '../rc-responder/length.ts';
import { completeReceive, nextWqe } from '../rc-responder/receive.ts';
import { requestOf } from '../rc-responder/request.ts';
import { seam } from '../seam.ts';
import { grhBytes, grhOf } from './grh.ts';
import { failReceive } from './receive-fault.ts';
import { accept, dropUnreceived } from './silence.ts';

/** Whether a datagram shows the Q_Key of the QP. */
export const qkeyFits = seam(
  (_core: Core, { attr }: QueuePair, { deth }: Packet): boolean => deth?.qkey === (attr.qkey ?? 0),
);

/** A datagram whose headers are sound and whose QP can receive. */
export function handleDatagram(core: Core, qp: QueuePair, packet: Packet): void {
  if (core.config.datagramEstablishes) announce(core, qp);
  receiveDatagram(core, qp, packet);
}

/** What has no room in the oldest WQE is dropped and takes none. */
export const receiveDatagram = seam((core: Core, qp: QueuePair, packet: Packet): void => {
  if (!isDatagram(core, packet) || !lengthFits(core, qp, packet, 'only')) return;
  const next = qp.receiveQueue.wqes[0];
  if (next === undefined) {
    dropUnreceived(core, qp);
    return;
  }
  const data = dataFor(core, qp, packet, next);
  const wqe = data === undefined ? undefined : nextWqe(core, qp);
  if (data === undefined || wqe === undefined) return;
  if (wqe.malformed !== undefined) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
    return;
  }
  if (!scatter(core.memory, wqe.sg_list, 0, data, receiveDomain(core, qp))) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', data.length);
  accept(core, qp, packet);
});

/** The service has whole SENDs only. */
export const isDatagram = seam((_core: Core, packet: Packet): boolean => {
  const request = requestOf(packet);
  return request.kind === 'send' && request.position === 'only';
});

/** What a receive WQE gets of a datagram; `undefined`: it has no room for it. */
export const dataFor = seam(
  (core: Core, _qp: QueuePair, packet: Packet, wqe: RecvWqe): Uint8Array | undefined => {
    const data = bufferOf(core, packet);
    return wqe.malformed === undefined && data.length > sgeBytes(wqe.sg_list) ? undefined : data;
  },
);

/** GRH and payload. */
export const bufferOf = seam((_core: Core, packet: Packet): Uint8Array => {
  const data = new Uint8Array(grhBytes + packet.payload.length);
  data.set(grhOf(packet), 0);
  data.set(packet.payload, grhBytes);
  return data;
});
