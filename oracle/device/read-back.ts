import { firstDifference, names, readMemory } from './memory.ts';
import type { MemoryNode, MemoryView, Region } from './memory.ts';

/** Bytes of a region that software has read, held against what packets did to them. */
export interface SeenBytes {
  /** what the likeliest of the possible states left of the region */
  head: MemoryNode | undefined;
  /** the bytes as it left them */
  view: MemoryView;
  /** index of the first byte that is another one; -1: there is none, or another state has left the bytes as they are */
  wrong: number;
}

/**
 * What was seen from `offset` of the region on. `writers`: for each QP the memory of all its possible states, the likeliest first.
 * `undefined`: several QPs were writing to the region.
 */
export function readBack(
  writers: readonly (readonly (MemoryNode | undefined)[])[],
  region: Region,
  offset: number,
  seen: Uint8Array,
): SeenBytes | undefined {
  const [heads = [undefined], other] = writers.filter((heads) => heads.some((head) => names(head, region)));
  if (other !== undefined) return undefined;
  const [head, ...others] = heads;
  const view = readMemory(head, region, offset, seen.length);
  const explained = others.some(
    (one) => firstDifference(readMemory(one, region, offset, seen.length), seen) < 0,
  );
  return { head, view, wrong: explained ? -1 : firstDifference(view, seen) };
}
