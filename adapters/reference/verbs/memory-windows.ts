import { VerbsError, type Verbs } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { deallocateWindow } from '../device/memory/binding.ts';
import { seam } from '../seam.ts';
import type { MwBind } from '../../../spec/verbs.ts';
import type { QueuePair } from '../device/qp.ts';
import type { MemoryWindow } from '../device/memory/windows.ts';
import { EBUSY, EINVAL } from './errno.ts';
import { postSend } from './post.ts';

type WindowVerbs = Required<Pick<Verbs, 'alloc_mw' | 'bind_mw' | 'dealloc_mw'>>;

/** The verbs of memory windows. */
export function makeWindowVerbs(device: Device): WindowVerbs {
  const { memory, pds } = device;
  return {
    async alloc_mw(pd, type) {
      if (!pds.has(pd)) throw new VerbsError('alloc_mw', EINVAL);
      const { mw, rkey } = memory.windows.allocate(pd, type);
      return { mw, rkey };
    },
    async bind_mw(qp, bind) {
      const found = device.qps.get(qp);
      if (found === undefined) throw new VerbsError('bind_mw', EINVAL);
      return bindByCall(device, found, bind);
    },
    async dealloc_mw(mw) {
      if (isWindowHeld(device, mw)) throw new VerbsError('dealloc_mw', EBUSY);
      if (!deallocateWindow(memory, mw)) throw new VerbsError('dealloc_mw', EINVAL);
    },
  };
}

/** Posts a binding of a window of type 1 under its next key, which it gives. */
export const bindByCall = seam(
  (device: Device, qp: QueuePair, { wr_id, send_flags, ...place }: MwBind): number => {
    const window = device.memory.windows.byHandle(place.mw);
    if (window?.type !== 'IBV_MW_TYPE_1') throw new VerbsError('bind_mw', EINVAL);
    const { type, posted } = window;
    const rkey = nextKey(posted);
    const bind_mw = { ...place, type, rkey };
    postSend(device, qp, { wr_id, opcode: 'IBV_WR_BIND_MW', sg_list: [], send_flags, bind_mw });
    window.posted = rkey;
    return givenKey(device, window);
  },
);

/** The next key of a window: of the 32 bits, the lowest 8 count its bindings. */
const nextKey = (rkey: number): number => ((rkey & ~0xff) | ((rkey + 1) & 0xff)) >>> 0;

/** The key that ibv_bind_mw gives: that of the binding which it has posted. */
export const givenKey = seam((_device: Device, { posted }: MemoryWindow): number => posted);

/** Whether a window cannot go yet: never, since ibv_dealloc_mw unbinds one that is bound. */
export const isWindowHeld = seam((_device: Device, _mw: number): boolean => false);
