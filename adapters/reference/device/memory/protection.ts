import type { AccessFlag, Sge } from '../../../../spec/verbs.ts';
import { seam } from '../../seam.ts';
import { within, type Memory, type Place, type Region } from './memory.ts';
import { windowPlace } from './binding.ts';
import type { MemoryWindow } from './windows.ts';

/** The place that a request of the peer names, or `undefined` if it may not touch it. `qp`: number of the QP that it came to. */
export const remotePlace = seam(
  (
    memory: Memory,
    rkey: number,
    va: bigint,
    length: number,
    pd: number,
    right: AccessFlag,
    qp?: number,
  ): Place | undefined => {
    const window = windowOfKey(memory, rkey);
    if (window !== undefined)
      return window.pd === pd ? windowPlace(memory, window, va, length, right, qp) : undefined;
    const region = memory.byRkey(rkey);
    if (region === undefined || !region.valid) return undefined;
    if (!remotePdFits(memory, region, pd) || !grants(memory, region, right)) return undefined;
    return within(region, va, length);
  },
);

/** The window that has this key now. */
export const windowOfKey = seam((memory: Memory, rkey: number): MemoryWindow | undefined =>
  memory.windows.byRkey(rkey),
);

export const remotePdFits = seam((_memory: Memory, region: Region, pd: number): boolean => region.pd === pd);

export const grants = seam((_memory: Memory, { access }: Region, right: AccessFlag): boolean =>
  access.includes(right),
);

/** The place that a scatter/gather element names, from `skip` bytes into it. */
export const localPlace = seam(
  (memory: Memory, sge: Sge, skip: number, length: number, pd: number, write: boolean): Place | undefined => {
    const region = localRegion(memory, sge, pd, write);
    // The whole element has to lie in the region, not only the part in use.
    if (region === undefined || within(region, sge.addr, sge.length) === undefined) return undefined;
    return within(region, sge.addr + BigInt(skip), length);
  },
);

/** The region of an element, if the QP may use it. */
export function localRegion(memory: Memory, sge: Sge, pd: number, write: boolean): Region | undefined {
  const region = regionOfKey(memory, sge);
  if (region === undefined || !region.valid) return undefined;
  return localPdFits(memory, region, pd) && locallyWritable(memory, region, write) ? region : undefined;
}

export const regionOfKey = seam((memory: Memory, { lkey }: Sge): Region | undefined => memory.byLkey(lkey));

export const localPdFits = seam((_memory: Memory, region: Region, pd: number): boolean => region.pd === pd);

/** Whether what is to be done with a region is within the rights of its owner. */
export const locallyWritable = seam(
  (_memory: Memory, { access }: Region, write: boolean): boolean =>
    !write || access.includes('IBV_ACCESS_LOCAL_WRITE'),
);
