import type { Sge } from '../../../../spec/verbs.ts';
import { zeroed } from '../../../../wire/index.ts';
import { guardBytes } from '../../../adapter.ts';
import { seam } from '../../seam.ts';
import type { Memory, Place } from './memory.ts';
import { localPlace } from './protection.ts';

/** Bytes of a scatter/gather list. */
export function sgeBytes(list: readonly Sge[]): number {
  let n = 0;
  for (const sge of list) n += sge.length;
  return n;
}

/** Copies `data` into a scatter list, from `position` bytes into it. False on a protection error; nothing is written then. */
export const scatter = seam(
  (memory: Memory, list: readonly Sge[], position: number, data: Uint8Array, pd: number): boolean => {
    const places = placesOf(memory, list, position, data.length, pd, true);
    if (places === undefined) return false;
    let at = 0;
    for (const { place, length } of places) {
      put(memory, place, data.subarray(at, at + length));
      at += length;
    }
    return true;
  },
);

export const put = seam((_memory: Memory, place: Place, data: Uint8Array): void => {
  place.bytes.set(data, place.offset);
});

/** `length` bytes of a gather list from `position` on, or `undefined` on a protection error. */
export function gather(
  memory: Memory,
  list: readonly Sge[],
  position: number,
  length: number,
  pd: number,
): Uint8Array | undefined {
  const places = placesOf(memory, list, position, length, pd, false);
  if (places === undefined) return undefined;
  const out = zeroed(length);
  let at = 0;
  for (const { place, length: n } of places) {
    out.set(place.bytes.subarray(place.offset, place.offset + n), at);
    at += n;
  }
  return out;
}

/** `length` bytes of a gather list as the software that posts them has them: no keys are looked at. */
export function inlineData(memory: Memory, list: readonly Sge[], length: number): Uint8Array {
  const out = zeroed(length);
  let at = 0;
  for (const { addr, length: n } of list) {
    const region = memory.around(addr, n);
    const from = region === undefined ? 0 : guardBytes + Number(addr - region.addr);
    if (region?.bytes !== undefined) out.set(region.bytes.subarray(from, from + n), at);
    at += n;
  }
  return out;
}

/** Whether `length` bytes of a list may be read, or written. */
export function usable(
  memory: Memory,
  list: readonly Sge[],
  length: number,
  pd: number,
  write: boolean,
): boolean {
  return placesOf(memory, list, 0, length, pd, write) !== undefined;
}

function placesOf(
  memory: Memory,
  list: readonly Sge[],
  position: number,
  length: number,
  pd: number,
  write: boolean,
): { place: Place; length: number }[] | undefined {
  const places: { place: Place; length: number }[] = [];
  let skip = position;
  let left = length;
  for (const sge of list) {
    if (left === 0) break;
    if (skip >= sge.length) {
      skip -= sge.length;
      continue;
    }
    const n = Math.min(left, sge.length - skip);
    const place = localPlace(memory, sge, skip, n, pd, write);
    if (place === undefined) return undefined;
    places.push({ place, length: n });
    left -= n;
    skip = 0;
  }
  return left === 0 ? places : undefined;
}
