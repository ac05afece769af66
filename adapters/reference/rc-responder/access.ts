import type { Core } from '../device/core.ts';
import type { Lenience } from '../device/memory.ts';

/** Bytes that a RETH announces; `undefined` where that is more than any message may have. */
export function announced(core: Core, { dmaLen }: { dmaLen: number }): number | undefined {
  if (core.fault === 'dma-length-31-bits') return dmaLen % 2 ** 31;
  return dmaLen > core.config.maxMessageBytes ? undefined : dmaLen;
}

const strict: Lenience = {};

/** How a mutant's protection check is too lax; none for a sound device. */
export function leniencyOf(core: Core): Lenience {
  const { fault } = core;
  if (fault === 'rkey-bounds-off-by-one') return { extraBytes: 1 };
  if (fault === 'access-right-unchecked') return { anyAccess: true };
  if (fault === 'pd-unchecked') return { anyPd: true };
  return strict;
}
