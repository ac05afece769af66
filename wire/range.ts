/** `value` if it is an integer of at most `width` bits (up to 32), else RangeError that names the field. */
export function bits(name: string, value: number, width: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** width) return value;
  throw new RangeError(`${name}: ${value} is no integer in 0..${2 ** width - 1}`);
}

/** `value` if it fits 64 bits unsigned, else RangeError that names the field. */
export function bits64(name: string, value: bigint): bigint {
  if (value >= 0n && value <= 0xffffffffffffffffn) return value;
  throw new RangeError(`${name}: ${value} is no integer in 0..2^64-1`);
}
