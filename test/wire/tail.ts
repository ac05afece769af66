import type { OpcodeInfo } from '../../spec/constants.ts';
import type { PacketFields } from '../../wire/index.ts';

const hex = (value: number | bigint, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hex(byte, 1)).join('');
}

/**
 * What must stand between BTH and ICRC, in hex, written down field by field from the header layouts: the second
 * opinion on extension headers that neither tshark nor scapy knows.
 */
export function tailOf(info: OpcodeInfo, f: Required<PacketFields>): string {
  const text = {
    RDETH: `00${hex(f.rdeth.eeContext, 3)}`,
    DETH: `${hex(f.deth.qkey, 4)}00${hex(f.deth.srcQp, 3)}`,
    XRCETH: `00${hex(f.xrceth.srq, 3)}`,
    RETH: hex(f.reth.va, 8) + hex(f.reth.rkey, 4) + hex(f.reth.dmaLen, 4),
    AtomicETH:
      hex(f.atomicEth.va, 8) +
      hex(f.atomicEth.rkey, 4) +
      hex(f.atomicEth.swapOrAdd, 8) +
      hex(f.atomicEth.compare, 8),
    AETH: hex(f.aeth.syndrome, 1) + hex(f.aeth.msn, 3),
    AtomicAckETH: hex(f.atomicOriginal, 8),
    ImmDt: hex(f.immediate, 4),
    IETH: hex(f.invalidateRkey, 4),
    FETH: `000000${hex(f.feth.selectivity * 16 + f.feth.placement, 1)}`,
  };
  const headers = info.headers.map((header) => text[header]).join('');
  return headers + toHex(f.payload) + '00'.repeat((4 - (f.payload.length % 4)) % 4);
}
