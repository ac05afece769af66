import { VerbsError, type Verbs } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { deallocateWindow } from '../device/memory/binding.ts';
import { seam } from '../seam.ts';
import { EBUSY, EINVAL } from './errno.ts';

type WindowVerbs = Required<Pick<Verbs, 'alloc_mw' | 'dealloc_mw'>>;

/** The verbs of memory windows. */
export function makeWindowVerbs(device: Device): WindowVerbs {
  const { memory, pds } = device;
  return {
    async alloc_mw(pd) {
      if (!pds.has(pd)) throw new VerbsError('alloc_mw', EINVAL);
      const { mw, rkey } = memory.windows.allocate(pd);
      return { mw, rkey };
    },
    async dealloc_mw(mw) {
      if (isWindowHeld(device, mw)) throw new VerbsError('dealloc_mw', EBUSY);
      if (!deallocateWindow(memory, mw)) throw new VerbsError('dealloc_mw', EINVAL);
    },
  };
}

/** Whether a window cannot go yet: never, since ibv_dealloc_mw unbinds one that is bound. */
export const isWindowHeld = seam((_device: Device, _mw: number): boolean => false);
