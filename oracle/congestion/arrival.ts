import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import { mtuOf } from './mtu.ts';
import type { CongestionInputs } from './variables.ts';

/** What a packet's header shows to congestion control. */
export function packetInputs(packet: Packet): CongestionInputs['packet'] {
  const { ecn, fecn, info } = packet;
  return {
    ecn,
    fecn,
    kind: info?.kind === 'cnp' ? 'cnp' : 'packet',
    response: info?.kind === 'response',
    read: info?.operation.startsWith('RDMA_READ_RESPONSE') === true,
  };
}

/** A frame with no header that counts but the ECN bits. */
export function bareFrame(ecn: number): CongestionInputs['packet'] {
  return { ecn, fecn: false, kind: 'foreign', response: false, read: false };
}

export function qpInputs(qp: Qp): CongestionInputs['qp'] {
  return { mtu: mtuOf(qp), service: qp.kind };
}

/** What else there is to know of a packet that reaches the device. */
interface Arrival {
  /** the QP is in a state in which it takes the packet */
  takes: boolean;
  /** the QP has an alternate path, to which it may have gone */
  movable: boolean;
  /** no port may have refused it for its length */
  entire: boolean;
}

/** A packet that reached the device, and the QP that it names, if there is one. */
export function arrivalInputs(
  packet: Packet,
  qp: Qp | undefined,
  { takes, movable, entire }: Arrival,
): Pick<CongestionInputs, 'arrival' | 'packet'> {
  const far = qp !== undefined && (qp.kind === 'UD' || qp.peerAddress === packet.srcIp);
  return {
    packet: packetInputs(packet),
    arrival: {
      toQp: qp !== undefined,
      icrc: packet.icrcOk,
      header: qp !== undefined && rightHeader(packet, qp),
      fromPeer: far && !movable,
      taken: takes,
      entire,
    },
  };
}

/** Whether a header is right for the QP in all that QPs look at; which of it the device looks at is its own choice. */
function rightHeader({ info, tver, pkey, payloadLength, deth }: Packet, qp: Qp): boolean {
  if (info === undefined || tver !== 0 || ((pkey ^ 0xffff) & 0x7fff) !== 0) return false;
  if (info.kind === 'cnp') return payloadLength === 16;
  const fits = info.payload ? payloadLength <= mtuOf(qp) : payloadLength === 0;
  const key = qp.kind !== 'UD' || (deth?.qkey ?? 0) >>> 0 === qp.qkey;
  return info.service === qp.kind && fits && key;
}
