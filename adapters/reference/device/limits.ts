/** Limits of the reference NIC. */
export const limits = {
  maxRdAtomic: 16,
  /** local_ca_ack_delay: 4.096 us * 2^ackDelay from a request to its ACK */
  ackDelay: 4,
  maxMessageBytes: 2 ** 31,
  /** entries of the GID table */
  maxGids: 8,
  maxQps: 0x10000,
  maxSge: 32,
  maxInline: 1024,
  activeMtu: 4096,
  maxCqe: 1 << 20,
  maxSrqWr: 1 << 15,
} as const;
