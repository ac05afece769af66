import { faultsAt } from '../../seam.ts';
import { isMrBound, mayChangeRights, reregisterFault } from '../../verbs/memory-regions.ts';
import { within, type Memory } from '../memory/memory.ts';
import { remotePlace } from '../memory/protection.ts';
import type { Region } from '../memory/region.ts';
import { changePd, changeRights, moveRegion } from '../memory/reregistration.ts';

const ENOMEM = 12;

/** regions of which a change was refused */
const held = new WeakSet<Region>();
/** memory of which the next access is refused */
const refusing = new WeakSet<Memory>();
/** what regions granted when they were used first */
const used = new WeakMap<Region, Pick<Region, 'access' | 'pd'>>();
/** lengths of regions that have moved, before they did */
const lengths = new WeakMap<Region, number>();

export const reregistrationFaults = [
  faultsAt(reregisterFault, {
    'rereg-refused': () => ENOMEM,
    'refused-rereg-applied': (sound, device, mr, change) => {
      const fault = sound(device, mr, change);
      const region = device.memory.byHandle(mr);
      if (fault !== 0 && region !== undefined) region.access = [];
      return fault;
    },
    'refused-rereg-changes-pd': (sound, device, mr, change) => {
      const fault = sound(device, mr, change);
      const region = device.memory.byHandle(mr);
      const { pd } = change;
      if (fault !== 0 && region !== undefined && pd !== undefined && device.pds.has(pd)) region.pd = pd;
      return fault;
    },
    'refused-rereg-grants': (sound, device, mr, change) => {
      const fault = sound(device, mr, change);
      const region = device.memory.byHandle(mr);
      if (fault !== 0 && region !== undefined) region.access = [...region.access, ...(change.access ?? [])];
      return fault;
    },
    'rereg-ends-messages': (sound, device, mr, change) => {
      const fault = sound(device, mr, change);
      if (fault === 0) for (const { responder } of device.qps.values()) responder.message = undefined;
      return fault;
    },
    'rereg-forgets-replays': (sound, device, mr, change) => {
      const fault = sound(device, mr, change);
      if (fault === 0) for (const { responder } of device.qps.values()) responder.resources = [];
      return fault;
    },
    'rereg-refuses-next-access': (sound, device, mr, change) => {
      const fault = sound(device, mr, change);
      if (fault === 0) refusing.add(device.memory);
      return fault;
    },
    'refused-rereg-holds': (sound, device, mr, change) => {
      const fault = sound(device, mr, change);
      const region = device.memory.byHandle(mr);
      if (fault !== 0 && region !== undefined) held.add(region);
      return fault;
    },
  }),
  faultsAt(isMrBound, {
    'refused-rereg-holds': (sound, device, mr) => {
      const region = device.memory.byHandle(mr);
      return (region !== undefined && held.has(region)) || sound(device, mr);
    },
  }),
  faultsAt(mayChangeRights, { 'rereg-rights-unchecked': () => true }),
  faultsAt(changePd, {
    'rereg-pd-kept': () => undefined,
    'rereg-loses-rights': (sound, memory, region, pd) => {
      sound(memory, region, pd);
      region.access = [];
    },
  }),
  faultsAt(changeRights, {
    'rereg-rights-kept': () => undefined,
    'rereg-key-untold': (sound, memory, region, access) => {
      sound(memory, region, access);
      const { lkey, rkey } = region;
      memory.renewKeys(region);
      Object.assign(region, { lkey, rkey });
    },
    'rereg-rights-added': (sound, memory, region, access) => {
      sound(memory, region, [...new Set([...region.access, ...access])]);
    },
    'rereg-rights-shorten': (sound, memory, region, access) => {
      sound(memory, region, access);
      region.length = Math.min(region.length, 4096);
    },
    'rereg-clears-memory': (sound, memory, region, access) => {
      sound(memory, region, access);
      region.bytes = undefined;
    },
  }),
  faultsAt(moveRegion, {
    'rereg-loses-rights': (sound, memory, region, length) => {
      sound(memory, region, length);
      region.access = [];
    },
    'rereg-old-place-open': (sound, memory, region, length) => {
      const before = { ...region };
      sound(memory, region, length);
      memory.renewKeys(region);
      memory.keepOpen(before);
    },
    'rereg-bounds-kept': (sound, memory, region, length) => {
      lengths.set(region, region.length);
      sound(memory, region, length);
    },
  }),
  faultsAt(remotePlace, {
    'rereg-refuses-next-access': (sound, memory, ...asked) =>
      refusing.delete(memory) ? undefined : sound(memory, ...asked),
    'rereg-unseen-where-used': (sound, memory, rkey, va, length, pd, right, qp) => {
      const region = memory.byRkey(rkey);
      if (region === undefined) return sound(memory, rkey, va, length, pd, right, qp);
      const { access, pd: domain } = region;
      const then = used.get(region);
      Object.assign(region, then);
      const place = sound(memory, rkey, va, length, pd, right, qp);
      if (place !== undefined) used.set(region, then ?? { access, pd: domain });
      Object.assign(region, { access, pd: domain });
      return place;
    },
    'rereg-bounds-kept': (sound, memory, rkey, va, length, pd, right, qp) => {
      const region = memory.byRkey(rkey);
      const before = region && lengths.get(region);
      const place = sound(memory, rkey, va, length, pd, right, qp);
      if (region === undefined || before === undefined) return place;
      if (va + BigInt(length) > region.addr + BigInt(before)) return undefined;
      return place ?? within(region, va, length, Math.max(0, before - region.length));
    },
  }),
];
