import { decodeSyndrome } from '../../spec/constants.ts';
import type { Packet } from '../../wire/packet.ts';
import { syndromeOf } from '../device/packet/aeth-word.ts';
import { samePartition } from '../device/packet/header.ts';
import type { Qp } from '../device/qp.ts';
import type { CongestionInputs } from './variables.ts';

type PacketInputs = CongestionInputs['packet'];
type Service = PacketInputs['service'];

const services: readonly Service[] = ['RC', 'ORC', 'UC', 'UD'];

/** What a packet's header shows to congestion control. */
export function packetInputs(packet: Packet): PacketInputs {
  const { ecn, fecn, info, tver, payloadLength, deth, srcIp, dstIp, aethWord } = packet;
  return {
    ecn,
    fecn,
    kind: info?.kind === 'cnp' ? 'cnp' : 'packet',
    response: info?.kind === 'response',
    read: isReadResponse(packet),
    defined: info !== undefined,
    service: services.find((service) => service === info?.service) ?? 'other',
    carries: info?.payload === true,
    tver,
    payload: payloadLength,
    qkey: (deth?.qkey ?? 0) >>> 0,
    srcIp,
    dstIp,
    nak: isNak(aethWord),
  };
}

/** Whether a packet brings data that its receiver has read. */
export function isReadResponse({ info }: Packet): boolean {
  return info?.operation.startsWith('RDMA_READ_RESPONSE') === true;
}

/** Whether the word of an AETH, -1 without one, is that of a NAK. */
export function isNak(aethWord: number): boolean {
  return aethWord >= 0 && decodeSyndrome(syndromeOf(aethWord)).kind === 'nak';
}

/** A frame with no header that counts but the ECN bits. */
export function bareFrame(ecn: number): PacketInputs {
  return {
    ecn,
    fecn: false,
    kind: 'foreign',
    response: false,
    read: false,
    defined: false,
    service: 'other',
    carries: false,
    tver: 0,
    payload: 0,
    qkey: 0,
    srcIp: '',
    dstIp: '',
    nak: false,
  };
}

export function qpInputs({ pmtu, kind: service, state, qkey, peerAddress }: Qp): CongestionInputs['qp'] {
  return { pmtu, service, state, qkey, peerAddress };
}

/** A packet for no QP of the device. */
export const toNobody: CongestionInputs['arrival'] = {
  toQp: false,
  icrc: false,
  samePartition: false,
  movable: false,
  certain: false,
  at: 'notification',
  entire: true,
};

/** A packet that reached the device, and the QP that it names, if there is one. */
export function arrivalInputs(
  packet: Packet,
  qp: Qp | undefined,
  {
    movable,
    certain,
    at,
    entire,
  }: Pick<CongestionInputs['arrival'], 'movable' | 'certain' | 'at' | 'entire'>,
): Pick<CongestionInputs, 'arrival' | 'packet'> & Partial<Pick<CongestionInputs, 'qp'>> {
  const same = qp !== undefined && samePartition(qp, packet);
  return {
    packet: packetInputs(packet),
    arrival: {
      toQp: qp !== undefined,
      icrc: packet.icrcOk,
      samePartition: same,
      movable,
      certain,
      at,
      entire,
    },
    ...(qp && { qp: qpInputs(qp) }),
  };
}
