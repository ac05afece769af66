import type { OpcodeInfo } from '../../spec/constants.ts';
import type { PacketFields } from '../../wire/index.ts';

const hex = (value: number | bigint, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hex(byte, 1)).join('');
}

/** Extension headers of each operation after those of the service, written down here once more on purpose. */
const ofOperation: Readonly<Record<string, string>> = {
  SEND_LAST_WITH_IMMEDIATE: 'ImmDt',
  SEND_ONLY_WITH_IMMEDIATE: 'ImmDt',
  RDMA_WRITE_FIRST: 'RETH',
  RDMA_WRITE_LAST_WITH_IMMEDIATE: 'ImmDt',
  RDMA_WRITE_ONLY: 'RETH',
  RDMA_WRITE_ONLY_WITH_IMMEDIATE: 'RETH ImmDt',
  RDMA_READ_REQUEST: 'RETH',
  RDMA_READ_RESPONSE_FIRST: 'AETH',
  RDMA_READ_RESPONSE_LAST: 'AETH',
  RDMA_READ_RESPONSE_ONLY: 'AETH',
  ACKNOWLEDGE: 'AETH',
  ATOMIC_ACKNOWLEDGE: 'AETH AtomicAckETH',
  COMPARE_SWAP: 'AtomicETH',
  FETCH_ADD: 'AtomicETH',
  SEND_LAST_WITH_INVALIDATE: 'IETH',
  SEND_ONLY_WITH_INVALIDATE: 'IETH',
  FLUSH: 'FETH RETH',
  ATOMIC_WRITE: 'RETH',
};

/** The same for ORC, where out-of-order QPs put more. */
const outOfOrder: Readonly<Record<string, string>> = {
  ...ofOperation,
  RDMA_WRITE_MIDDLE: 'RETH',
  RDMA_WRITE_LAST: 'RETH',
  RDMA_WRITE_LAST_WITH_IMMEDIATE: 'RETH ImmDt',
};

/** Headers in wire order; XRC and RD responses differ in that only RD keeps its RDETH. */
function headersOf({ service, operation, kind }: OpcodeInfo): string[] {
  if (service === 'ORC' && operation === 'ACKNOWLEDGE') return ['AETH', 'SAETH'];
  if (service === 'ORC') return ['OOETH', ...(outOfOrder[operation]?.split(' ') ?? [])];
  const request: Partial<Record<string, string>> = { RD: 'RDETH DETH', UD: 'DETH', XRC: 'XRCETH' };
  const front = kind === 'request' ? request[service] : service === 'RD' ? 'RDETH' : undefined;
  return `${front ?? ''} ${ofOperation[operation] ?? ''}`.split(' ').filter((name) => name !== '');
}

/**
 * What must stand between BTH and ICRC, in hex, written down field by field from the header layouts: the second
 * opinion on extension headers that neither tshark nor scapy knows.
 */
export function tailOf(info: OpcodeInfo, f: Required<PacketFields>): string {
  const text: Partial<Record<string, string>> = {
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
    OOETH: `${hex(f.ooeth.flags, 1)}${hex(f.ooeth.recvWqeSn, 3)}00${hex(f.ooeth.readWqeSn, 3)}${hex(f.ooeth.offset, 4)}`,
    SAETH: hex(f.saeth.flags, 1) + hex(f.saeth.trigger, 3),
    FETH: `000000${hex(f.feth.selectivity * 16 + f.feth.placement, 1)}`,
  };
  const headers = headersOf(info)
    .map((header) => text[header])
    .join('');
  return headers + toHex(f.payload) + '00'.repeat((4 - (f.payload.length % 4)) % 4);
}
