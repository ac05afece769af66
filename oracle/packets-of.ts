/**
 * Packets that carry a message of `bytes` bytes, or responses that a READ of them calls for: one for every `pmtu` bytes, and one for an
 * empty message. 1 where no path MTU was set (0 or less). Expressions of the machines call it by the same name.
 */
export function packetsOf(bytes: number, pmtu: number): number {
  return pmtu > 0 ? Math.max(1, Math.ceil(bytes / pmtu)) : 1;
}
