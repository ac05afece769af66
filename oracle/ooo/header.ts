import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';

type Found = [expected: string, observed: string] | undefined;

/** How a packet of the device departs from what the header of every packet must hold. */
export function wrongHeader({ pkey }: Qp, packet: Packet): Found {
  const hex = (n: number): string => `0x${n.toString(16)}`;
  if (!packet.icrcOk) return ['the ICRC of its bytes', `ICRC ${hex(packet.icrc)}`];
  if (packet.tver !== 0) return ['TVer 0', `TVer ${packet.tver}`];
  if (((packet.pkey ^ pkey) & 0x7fff) !== 0) return [`P_Key ${hex(pkey)}`, `P_Key ${hex(packet.pkey)}`];
  return undefined;
}

/** How its addressee differs from the far end. */
export function wrongAddressee({ peerQpNumber: qp, peerAddress: to }: Qp, packet: Packet): Found {
  if ((qp === undefined || packet.destQp === qp) && (to === undefined || packet.dstIp === to))
    return undefined;
  return [
    `addressed to qp ${qp ?? '?'} at ${to ?? '?'}`,
    `addressed to qp ${packet.destQp} at ${packet.dstIp}`,
  ];
}
