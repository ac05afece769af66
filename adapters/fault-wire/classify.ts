import { decodeSyndrome } from '../../spec/constants.ts';
import type { Packet } from '../../wire/packet.ts';

/** Classes that fault coordinates name; a request that carries data is `request` and `data` both. */
export type PacketClass =
  'request' | 'data' | 'ack' | 'nak' | 'rnr-nak' | 'read-response' | 'atomic-ack' | 'cnp';

/** Whether a packet belongs to a class. A reserved opcode belongs to none. */
export function isOfClass(packet: Packet, wanted: PacketClass): boolean {
  const info = packet.info;
  if (info === undefined) return false;
  if (info.kind === 'cnp') return wanted === 'cnp';
  if (info.kind === 'request') {
    return wanted === 'request' || (wanted === 'data' && info.payload && packet.payloadLength > 0);
  }
  if (info.operation.startsWith('RDMA_READ_RESPONSE')) return wanted === 'read-response';
  if (info.headers.includes('AtomicAckETH')) return wanted === 'atomic-ack';
  switch (decodeSyndrome(packet.aethWord >>> 24).kind) {
    case 'ack':
      return wanted === 'ack';
    case 'nak':
      return wanted === 'nak';
    case 'rnr-nak':
      return wanted === 'rnr-nak';
    case 'reserved':
      return false;
  }
}
