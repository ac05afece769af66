import { headerBytes, opcodes } from '../spec/constants.ts';
import type { HeaderName } from '../spec/constants.ts';
import { u16 } from './bytes.ts';

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

/** Where the IP header of an Ethernet frame begins; undefined where there is none. */
export function ipOffset(frame: Uint8Array): number | undefined {
  for (let at = 12; at + 3 <= frame.length && at <= 20; at += 4) {
    const type = u16(frame, at);
    if (type === 0x0800 || type === 0x86dd) return at + 2;
    if (type !== 0x8100 && type !== 0x88a8) return undefined;
  }
  return undefined;
}
