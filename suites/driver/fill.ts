/** Bytes of a region or message: a function of the seed alone, neighbours always differ. */
export function fillBytes(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let value = (seed * 89 + 17) & 0xff;
  for (let i = 0; i < length; i++) {
    bytes[i] = value;
    value = (value + ((i & 0xff) === 0xff ? 20 : 7)) & 0xff;
  }
  return bytes;
}
