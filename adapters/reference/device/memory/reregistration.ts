import type { AccessFlag } from '../../../../spec/verbs.ts';
import type { MrChange } from '../../../adapter.ts';
import { seam } from '../../seam.ts';
import type { Memory } from './memory.ts';
import type { Region } from './region.ts';

/** Changes a region as ibv_rereg_mr does. Its memory stays with it unless it moves; its keys stay where they can. */
export function reregister(memory: Memory, region: Region, change: MrChange): void {
  const { pd, access, length } = change;
  region.changes++;
  if (pd !== undefined) changePd(memory, region, pd);
  if (access !== undefined) changeRights(memory, region, access);
  if (length !== undefined) moveRegion(memory, region, length);
  if (takesNewKeys(memory, change)) memory.renewKeys(region);
}

export const changePd = seam((_memory: Memory, region: Region, pd: number): void => {
  region.pd = pd;
});

export const changeRights = seam((_memory: Memory, region: Region, access: readonly AccessFlag[]): void => {
  region.access = [...access];
});

/** To memory of `length` zeros. */
export const moveRegion = seam((memory: Memory, region: Region, length: number): void => {
  region.addr = memory.place(length);
  region.length = length;
  region.bytes = undefined;
});

/** A region that has moved is found by other keys than before. */
export const takesNewKeys = seam((_memory: Memory, { length }: MrChange): boolean => length !== undefined);
