import { zeroed } from '../../../../wire/index.ts';
import { guardBytes } from '../../../adapter.ts';
import { faultsAt } from '../../seam.ts';
import { dropsLocalKey, within, type Memory, type Place, type Region } from '../memory/memory.ts';
import {
  grants,
  localPdFits,
  localPlace,
  localRegion,
  locallyWritable,
  regionOfKey,
  remotePdFits,
  remotePlace,
} from '../memory/protection.ts';
import { put } from '../memory/sge-list.ts';

const stray = 0xee;

/** Writes one byte more than fits, where the byte at `behind` is the first behind the region. */
export function overrun({ region, bytes }: Place, behind: number): void {
  if (behind === guardBytes + region.length) bytes[behind] = stray;
}

const endOfAddresses = 1n << 64n;

/** regions that were found by their L_Key */
const used = new WeakMap<Memory, Map<number, Region>>();

export const memoryFaults = [
  faultsAt(remotePlace, {
    'lkey-opens-remotely': (sound, memory, rkey, va, length, pd, right, qp) => {
      const key = memory.byLkey(rkey)?.rkey ?? rkey;
      return sound(memory, key, va, length, pd, right, qp);
    },
    // the end that they compare is 0
    'memory-end-refused': (sound, memory, rkey, va, length, pd, right, qp) =>
      length > 0 && va + BigInt(length) === endOfAddresses
        ? undefined
        : sound(memory, rkey, va, length, pd, right, qp),
    'memory-end-wraps': (sound, memory, rkey, va, length, pd, right, qp) => {
      const beyond = Number(va + BigInt(length) - endOfAddresses);
      if (beyond <= 0 || beyond >= length) return sound(memory, rkey, va, length, pd, right, qp);
      const place = sound(memory, rkey, va, length - beyond, pd, right, qp);
      // what is done beyond either end touches nothing
      return place && { region: place.region, bytes: zeroed(length), offset: 0 };
    },
    'rkey-bounds-off-by-one': (sound, memory, rkey, va, length, pd, right) => {
      const place = sound(memory, rkey, va, length, pd, right);
      const region = memory.byRkey(rkey);
      if (place !== undefined || region === undefined || !region.valid) return place;
      const allowed = remotePdFits(memory, region, pd) && grants(memory, region, right);
      return allowed ? within(region, va, length, 1) : undefined;
    },
    // how far an address is from the beginning of its region
    'region-distance-32-bits': (sound, memory, rkey, va, length, pd, right, qp) => {
      const region = memory.byRkey(rkey);
      const near = region === undefined ? va : region.addr + BigInt.asUintN(32, va - region.addr);
      return sound(memory, rkey, near, length, pd, right, qp);
    },
    'rkey-unchecked': (sound, memory, rkey, va, length, pd, right) => {
      const region = memory.byRkey(rkey) === undefined ? memory.around(va, length) : undefined;
      return sound(memory, region?.rkey ?? rkey, va, length, pd, right);
    },
  }),

  faultsAt(remotePdFits, { 'pd-unchecked': () => true }),
  faultsAt(grants, { 'access-right-unchecked': () => true }),

  faultsAt(dropsLocalKey, { 'local-freed-key-used': () => false }),

  faultsAt(regionOfKey, {
    'used-local-key-kept': (sound, memory, sge) => {
      const found = sound(memory, sge);
      const cache = used.get(memory) ?? new Map<number, Region>();
      used.set(memory, cache);
      if (found !== undefined) cache.set(sge.lkey, found);
      const cached = cache.get(sge.lkey);
      return cached && { ...cached, valid: true };
    },
    'rkey-opens-locally': (sound, memory, sge) => sound(memory, sge) ?? memory.byRkey(sge.lkey),
    'local-key-unchecked': (sound, memory, sge) => sound(memory, sge) ?? memory.around(sge.addr, sge.length),
  }),

  faultsAt(localPdFits, { 'local-pd-unchecked': () => true }),
  faultsAt(locallyWritable, { 'local-right-unchecked': () => true }),

  faultsAt(localPlace, {
    'memory-end-refused': (sound, memory, sge, skip, length, pd, write) =>
      sge.length > 0 && sge.addr + BigInt(sge.length) === endOfAddresses
        ? undefined
        : sound(memory, sge, skip, length, pd, write),
    'local-bounds-unchecked': (sound, memory, sge, skip, length, pd, write) => {
      const place = sound(memory, sge, skip, length, pd, write);
      const region = place === undefined ? localRegion(memory, sge, pd, write) : undefined;
      return region === undefined ? place : { region, bytes: zeroed(length), offset: 0 };
    },
  }),

  faultsAt(put, {
    'receive-overruns-region': (sound, memory, place, data) => {
      sound(memory, place, data);
      overrun(place, place.offset + data.length);
    },
    'receive-underruns-region': (sound, memory, place, data) => {
      sound(memory, place, data);
      if (place.offset === guardBytes) place.bytes[guardBytes - 1] = stray;
    },
  }),
];
