import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import { sgeBytes } from '../memory.ts';
import type { QueuePair } from '../qp.ts';
import { lengthFits, requestOf } from '../responder/position.ts';
import { completeReceive, nextWqe } from '../responder/receive.ts';
import { announce } from '../responder/responder.ts';
import { failReceive } from './receive-fault.ts';

/** Bytes in front of the payload in the buffer of a datagram, which belong to its GRH. */
export const grhBytes = 40;

const ethernetHeader = 14;
const vlanTag = 4;
const ipv4Header = 20;

/** Whether a datagram shows the Q_Key of the QP. */
export function qkeyFits(_core: Core, { attr }: QueuePair, { deth }: Packet): boolean {
  return deth !== undefined && deth.qkey === (attr.qkey ?? 0);
}

/** A datagram whose headers are sound and whose QP can receive. What has no room in the oldest WQE is dropped and takes none. */
export function handleDatagram(core: Core, qp: QueuePair, packet: Packet): void {
  if (core.config.datagramEstablishes) announce(core, qp);
  const request = requestOf(packet);
  if (request.kind !== 'send' || request.position !== 'only') return;
  if (!lengthFits(core, qp, packet, 'only')) return;
  const next = qp.receiveQueue.wqes[0];
  if (next === undefined) return;
  const { payload } = packet;
  const bytes = grhBytes + payload.length;
  if (next.malformed === undefined && bytes > sgeBytes(next.sg_list)) return;
  const wqe = nextWqe(core, qp);
  if (wqe === undefined) return;
  const data = new Uint8Array(bytes);
  data.set(networkHeader(packet), 0);
  data.set(payload, grhBytes);
  if (wqe.malformed !== undefined) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
    return;
  }
  if (!core.memory.scatter(wqe.sg_list, 0, data, qp.receiveQueue.pd)) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', bytes);
}

/** The 40 bytes of the GRH: an IPv6 header is one; in front of an IPv4 header stand 20 bytes that mean nothing. */
function networkHeader({ frame, ipVersion, vlanTci, serviceTci }: Packet): Uint8Array {
  const ip =
    ethernetHeader + (vlanTci === undefined ? 0 : vlanTag) + (serviceTci === undefined ? 0 : vlanTag);
  if (ipVersion === 6) return frame.subarray(ip, ip + grhBytes);
  const bytes = new Uint8Array(grhBytes);
  bytes.set(frame.subarray(ip, ip + ipv4Header), grhBytes - ipv4Header);
  return bytes;
}
