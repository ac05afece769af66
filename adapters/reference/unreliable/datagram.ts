import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { scatter, sgeBytes } from '../device/sge-list.ts';
import type { QueuePair } from '../device/qp.ts';
import { announce } from '../rc-responder/announce.ts';
import { lengthFits } from '../rc-responder/length.ts';
import { completeReceive, nextWqe } from '../rc-responder/receive.ts';
import { requestOf } from '../rc-responder/request.ts';
import { acknowledgeUnasked } from './answer.ts';
import { droppedByFault } from './datagram-faults.ts';
import { failReceive } from './receive-fault.ts';

/** Bytes in front of the payload in the buffer of a datagram, which belong to its GRH. */
export const grhBytes = 40;

const ethernetHeader = 14;
const vlanTag = 4;
const ipv4Header = 20;

/** Whether a datagram shows the Q_Key of the QP. */
export function qkeyFits(core: Core, qp: QueuePair, packet: Packet): boolean {
  const { deth } = packet;
  if (core.fault === 'ud-reserved-opcode-taken' && packet.info === undefined) return true;
  if (deth === undefined) return false;
  if (deth.qkey === (qp.attr.qkey ?? 0) || core.fault === 'ud-qkey-unchecked') return true;
  if (core.fault === 'ud-qkey-mismatch-fatal') core.fail(qp);
  return false;
}

/** A datagram whose headers are sound and whose QP can receive. What has no room in the oldest WQE is dropped and takes none. */
export function handleDatagram(core: Core, qp: QueuePair, packet: Packet): void {
  const { fault } = core;
  if (core.config.datagramEstablishes) announce(core, qp);
  if (fault !== undefined && droppedByFault(core, qp, packet)) return;
  const request = requestOf(packet);
  const datagram = request.kind === 'send' && request.position === 'only';
  if (!datagram && (fault !== 'ud-reserved-opcode-taken' || packet.info !== undefined)) return;
  if (!lengthFits(core, qp, packet, 'only')) return;
  const next = qp.receiveQueue.wqes[0];
  if (next === undefined) {
    if (fault === 'ud-no-receive-fatal') core.fail(qp);
    return;
  }
  const data = buffer(core, packet);
  const room = sgeBytes(next.sg_list);
  if (next.malformed === undefined && grhBytes + packet.payload.length > room) {
    if (fault === 'ud-long-stored')
      scatter(core.memory, next.sg_list, 0, data.subarray(0, room), qp.receiveQueue.pd);
    if (fault === 'ud-long-consumes-receive') nextWqe(core, qp);
    if (fault === 'ud-long-fatal') failLong(core, qp);
    if (fault !== 'ud-long-truncated') return;
  }
  const wqe = nextWqe(core, qp);
  if (wqe === undefined) return;
  if (wqe.malformed !== undefined) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
    return;
  }
  const fitting = data.length > room ? data.subarray(0, room) : data;
  if (!scatter(core.memory, wqe.sg_list, 0, fitting, qp.receiveQueue.pd)) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  const { length } = packet.payload;
  const bytes = fault === 'ud-byte-len-without-grh' ? length : grhBytes + length;
  completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', Math.min(bytes, room));
  acknowledgeUnasked(core, qp, packet);
}

function failLong(core: Core, qp: QueuePair): void {
  const wqe = nextWqe(core, qp);
  if (wqe !== undefined) failReceive(core, qp, wqe, 'IBV_WC_LOC_LEN_ERR');
}

/** What goes into the receive buffer: GRH and payload. */
function buffer({ fault }: Core, packet: Packet): Uint8Array {
  const { payload } = packet;
  const data = new Uint8Array(grhBytes + payload.length);
  if (fault === 'ud-without-grh') data.set(payload, 0);
  else {
    data.set(networkHeader(packet), 0);
    data.set(payload, grhBytes);
  }
  return data;
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
