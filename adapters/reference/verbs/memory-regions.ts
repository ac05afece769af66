import type { AccessFlag } from '../../../spec/verbs.ts';
import { VerbsError, type MrChange, type Verbs } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { reregister } from '../device/memory/reregistration.ts';
import { letsOthersWrite } from '../device/memory/region.ts';
import { seam } from '../seam.ts';
import { EBUSY, EINVAL, need } from './errno.ts';

type MemoryVerbs = Pick<
  Verbs,
  'alloc_pd' | 'dealloc_pd' | 'reg_mr' | 'rereg_mr' | 'dereg_mr' | 'read_memory' | 'write_memory'
>;

/** The verbs of protection domains and memory regions. */
export function makeMemoryVerbs(device: Device): MemoryVerbs {
  const { memory, pds } = device;
  return {
    async alloc_pd() {
      const pd = device.nextHandle++;
      pds.add(pd);
      return pd;
    },
    async dealloc_pd(pd) {
      if (!pds.has(pd)) throw new VerbsError('dealloc_pd', EINVAL);
      if (isPdUsed(device, pd)) throw new VerbsError('dealloc_pd', EBUSY);
      pds.delete(pd);
    },
    async reg_mr({ pd, length, access, iova }) {
      if (!pds.has(pd) || length < 0 || !accessAllowed(device, access) || !fits(iova, length))
        throw new VerbsError('reg_mr', EINVAL);
      const { mr, addr, lkey, rkey } = memory.register(pd, length, [...access], iova);
      return { mr, addr, lkey, rkey };
    },
    async rereg_mr(mr, change) {
      const errno = reregisterFault(device, mr, change);
      const region = memory.byHandle(mr);
      if (errno !== 0 || region === undefined)
        throw new VerbsError('rereg_mr', errno || EINVAL, undefined, region !== undefined);
      reregister(memory, region, change);
      const { addr, lkey, rkey } = region;
      return { addr, lkey, rkey };
    },
    async dereg_mr(mr) {
      if (isMrBound(device, mr)) throw new VerbsError('dereg_mr', EBUSY);
      if (!memory.deregister(mr)) throw new VerbsError('dereg_mr', EINVAL);
    },
    async read_memory(mr, offset, length) {
      return need('read_memory', memory.read(need('read_memory', memory.byHandle(mr)), offset, length));
    },
    async write_memory(mr, offset, bytes) {
      const region = need('write_memory', memory.byHandle(mr));
      if (!memory.write(region, offset, bytes)) throw new VerbsError('write_memory', EINVAL);
    },
  };
}

/** Why a region cannot be changed so: an errno, 0 where it can. It is as before then. */
export const reregisterFault = seam((device: Device, mr: number, change: MrChange): number => {
  const region = device.memory.byHandle(mr);
  const { pd, access, length } = change;
  if (region === undefined || Object.keys(change).length === 0) return EINVAL;
  if (pd !== undefined && !device.pds.has(pd)) return EINVAL;
  if (length !== undefined && length <= 0) return EINVAL;
  if (!mayChangeRights(device, access ?? region.access)) return EINVAL;
  return isMrBound(device, mr) ? EBUSY : 0;
});

/** The rights that reg_mr would take. */
export const mayChangeRights = seam((device: Device, access: readonly AccessFlag[]): boolean =>
  accessAllowed(device, access),
);

/** Whether a window is bound to a region, which cannot go then. */
export const isMrBound = seam(({ memory }: Device, mr: number): boolean => {
  const region = memory.byHandle(mr);
  return region !== undefined && memory.windows.open(region);
});

/** Whether something is on a PD, which cannot go then. */
export const isPdUsed = seam(
  ({ memory, qps, srqs, ahs }: Device, pd: number): boolean =>
    memory.usesPd(pd) || [qps, srqs, ahs].some((table) => [...table.values()].some((one) => one.pd === pd)),
);

/** Remote write and remote atomic rights need the local write right. */
export const accessAllowed = seam((_device: Device, access: readonly AccessFlag[]): boolean => {
  return !letsOthersWrite(access) || access.includes('IBV_ACCESS_LOCAL_WRITE');
});

const endOfAddresses = 1n << 64n;

/** Whether a region may begin at the address that software asks for: all of it has addresses of 64 bits. */
function fits(iova: bigint | undefined, length: number): boolean {
  return iova === undefined || (iova >= 0n && iova + BigInt(length) <= endOfAddresses);
}
