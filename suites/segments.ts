/** Packets that carry a message of `length` bytes, or responses that a READ of them calls for; one where it is empty. `mtu`: the path MTU. */
export function packetCount(length: number, mtu: number): number {
  return Math.max(1, Math.ceil(length / mtu));
}

/** The place of packet `index` of `count` in its message, as in names of opcodes. */
export function positionOf(index: number, count: number): 'FIRST' | 'MIDDLE' | 'LAST' | 'ONLY' {
  if (count === 1) return 'ONLY';
  if (index === 0) return 'FIRST';
  return index === count - 1 ? 'LAST' : 'MIDDLE';
}
