import { headerBytes, opcodes } from '../spec/constants.ts';
import type { HeaderName } from '../spec/constants.ts';

export const bthBytes = 12;
export const icrcBytes = 4;
export const rocePort = 4791;

/** Bytes of all extension headers by opcode byte; 0 for reserved opcodes. */
export const extensionBytes: Uint8Array = Uint8Array.from({ length: 256 }, (_, op) => {
  return opcodes[op]?.headerBytes ?? 0;
});

/** Offset of `header` from the start of the BTH, by opcode byte; 0 where the opcode has no such header. */
function offsets(header: HeaderName): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, op) => {
    const headers = opcodes[op]?.headers ?? [];
    const index = headers.indexOf(header);
    if (index < 0) return 0;
    return headers.slice(0, index).reduce((at, before) => at + headerBytes[before], bthBytes);
  });
}

export const rdethAt = offsets('RDETH');
export const dethAt = offsets('DETH');
export const xrcethAt = offsets('XRCETH');
export const rethAt = offsets('RETH');
export const atomicEthAt = offsets('AtomicETH');
export const aethAt = offsets('AETH');
export const atomicAckEthAt = offsets('AtomicAckETH');
export const immDtAt = offsets('ImmDt');
export const iethAt = offsets('IETH');
export const fethAt = offsets('FETH');
export const ooethAt = offsets('OOETH');
export const saethAt = offsets('SAETH');
