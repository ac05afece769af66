/** PSNs that a message takes: its packets, or those of the responses to a READ; at least one. `length`: bytes; `mtu`: the path MTU. */
export function packetsOf(length: number, mtu: number): number {
  return Math.max(1, Math.ceil(length / mtu));
}
