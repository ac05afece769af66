/** Limits of the reference NIC. */
export const limits = {
  maxRdAtomic: 16,
  maxMessageBytes: 2 ** 31,
  maxQps: 0x10000,
  maxSge: 32,
  maxInline: 1024,
} as const;
