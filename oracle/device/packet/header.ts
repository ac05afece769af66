import { udpChecksumFits } from '../../../wire/checksum.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Qp } from '../qp.ts';
import { serviceOfOpcode } from './opcode-shape.ts';

/** What was demanded, and what was seen instead. */
export interface Difference {
  expected: string;
  observed: string;
}

/** The service of an opcode byte that nobody has defined; `undefined`: it is defined. */
export function reservedOf({ info, opcode }: Packet): 'RC' | 'UC' | 'UD' | 'another' | undefined {
  if (info !== undefined) return undefined;
  const service = serviceOfOpcode(opcode);
  return service === 'RC' || service === 'UC' || service === 'UD' ? service : 'another';
}

/** A P_Key as tools show it. */
export const pkeyText = (pkey: number): string => `P_Key 0x${pkey.toString(16).padStart(4, '0')}`;

/** The far end of a packet, or of the QP that sends it: "addressed to qp 0x000012 at 10.0.0.2". */
export function addresseeText(qp: number | undefined, address: string | undefined): string {
  const number = qp === undefined ? '?' : `0x${qp.toString(16).padStart(6, '0')}`;
  return `addressed to qp ${number} at ${address ?? '?'}`;
}

/** Whether two P_Keys are of one partition: the top bit tells full members from limited ones. */
export function samePkey(one: number, other: number): boolean {
  return ((one ^ other) & 0x7fff) === 0;
}

/** The P_Key of a QP, and whether that is unknown. */
type Partition = Pick<Qp, 'pkey' | 'anyPartition'>;

/** Whether the packet is of the partition of the QP, full and limited members alike; of any where that is not known. */
export function samePartition({ pkey, anyPartition }: Partition, packet: Packet): boolean {
  return anyPartition || samePkey(pkey, packet.pkey);
}

/** Whether the P_Key of the packet is none that a QP can have: 0 in its lower 15 bits. */
export function noPartition({ pkey }: Packet): Difference | undefined {
  if (!samePkey(pkey, 0)) return undefined;
  return {
    expected: 'a P_Key with more than 0 in its lower 15 bits',
    observed: pkeyText(pkey),
  };
}

/** Reserved bits of the BTH that are set, in words; of those beside FECN and BECN, and of those beside AckReq. */
export function reservedBits({ resv6, resv7 }: Packet): string | undefined {
  if (resv6 === 0 && resv7 === 0) return undefined;
  return `reserved bits 0x${resv6.toString(16)} beside BECN, 0x${resv7.toString(16)} beside AckReq`;
}

/** How a packet of the device departs from what the header of every packet must hold. */
export function wrongHeader(connection: Partition, packet: Packet): Difference | undefined {
  if (!packet.icrcOk)
    return {
      expected: 'the ICRC of its bytes',
      observed: `ICRC 0x${packet.icrc.toString(16).padStart(8, '0')}`,
    };
  if (packet.tver !== 0) return { expected: 'TVer 0', observed: `TVer ${packet.tver}` };
  const reserved = reservedBits(packet);
  if (reserved !== undefined) return { expected: 'reserved bits of the BTH 0', observed: reserved };
  if (!samePartition(connection, packet))
    return { expected: pkeyText(connection.pkey), observed: pkeyText(packet.pkey) };
  return noPartition(packet);
}

/** What is wrong with the header of a packet that the rules call wrong: the P_Key, where all else is right. */
export function headerText(connection: Partition, packet: Packet): Difference {
  return (
    wrongHeader(connection, packet) ?? {
      expected: pkeyText(connection.pkey),
      observed: pkeyText(packet.pkey),
    }
  );
}

/** The addressee that a packet of the device should have, and the one it has; `undefined` where the first is unknown. */
export function addressees(
  qpNumber: number | undefined,
  address: string | undefined,
  { destQp, dstIp }: Packet,
): Difference {
  return { expected: addresseeText(qpNumber, address), observed: addresseeText(destQp, dstIp) };
}

/** Whether the UDP checksum is 0, or that of the packet: a port may discard what has a wrong one, which the ICRC does not show. */
export function hasFittingChecksum({ udpChecksum, frame }: Packet): boolean {
  return udpChecksum === 0 || udpChecksumFits(frame);
}
