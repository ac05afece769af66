/**
 * Big-endian reads and writes on a Uint8Array at a byte offset. Callers have checked the bounds: a packet is parsed far
 * more often than made, and a DataView per packet would cost more than everything else in decode().
 */

export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at]!;
}

export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

export function u24(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
}

export function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** Little-endian: the ICRC is the one field of a RoCEv2 packet that is sent least significant byte first. */
export function u32le(bytes: Uint8Array, at: number): number {
  return ((bytes[at + 3]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 1]! << 8) | bytes[at]!) >>> 0;
}

export function u64(bytes: Uint8Array, at: number): bigint {
  return (BigInt(u32(bytes, at)) << 32n) | BigInt(u32(bytes, at + 4));
}

export function putU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function putU24(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 16;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value;
}

export function putU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

export function putU32le(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

export function putU64(bytes: Uint8Array, at: number, value: bigint): void {
  putU32(bytes, at, Number(value >> 32n));
  putU32(bytes, at + 4, Number(value & 0xffffffffn));
}
