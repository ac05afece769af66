/** A byte as people read it: `0x0f`; one that is not there as 0. */
export function byteText(byte: number | undefined): string {
  return `0x${(byte ?? 0).toString(16).padStart(2, '0')}`;
}
