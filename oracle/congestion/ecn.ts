/** ECN bits of a frame, whatever is in it; those of an Ethernet frame without IP are 00. */
export function ecnOfFrame(frame: Uint8Array): number {
  let at = 12;
  const type = (): number => ((frame[at] ?? 0) << 8) | (frame[at + 1] ?? 0);
  while (type() === 0x8100 || type() === 0x88a8) at += 4;
  if (type() === 0x0800) return (frame[at + 3] ?? 0) & 3;
  return type() === 0x86dd ? ((frame[at + 3] ?? 0) >> 4) & 3 : 0;
}
