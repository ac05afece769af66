import { putU16, putU32, putU32le, u16, u32, u32le } from '../bytes.ts';

/** Reads and writes in one of the two byte orders that capture files come in. */
export interface ByteOrder {
  readonly name: 'big' | 'little';
  u16(bytes: Uint8Array, at: number): number;
  u32(bytes: Uint8Array, at: number): number;
  putU16(bytes: Uint8Array, at: number, value: number): void;
  putU32(bytes: Uint8Array, at: number, value: number): void;
}

export const bigEndian: ByteOrder = { name: 'big', u16, u32, putU16, putU32 };

export const littleEndian: ByteOrder = {
  name: 'little',
  u16: (bytes, at) => bytes[at]! | (bytes[at + 1]! << 8),
  u32: u32le,
  putU16: (bytes, at, value) => {
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
  },
  putU32: putU32le,
};
