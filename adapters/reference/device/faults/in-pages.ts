import { guardBytes } from '../../../adapter.ts';
import { faultsAt } from '../../seam.ts';
import { within, type Place, type Region } from '../memory/memory.ts';
import { localPlace, remotePlace } from '../memory/protection.ts';

const pageBytes = 4096n;

/** The page table counts from the first byte of a region and not from its page: what lies in a later page is off. */
function fromFirstByte(place: Place | undefined, va: bigint, length: number): Place | undefined {
  if (place === undefined) return undefined;
  const { region } = place;
  const inPage = region.addr % pageBytes;
  const samePage = va / pageBytes === region.addr / pageBytes;
  return samePage ? place : (within(region, va - inPage, length) ?? place);
}

/** A few bytes in front of a region that lie in its first page. */
function inFirstPage(region: Region | undefined, va: bigint, length: number): Place | undefined {
  if (region === undefined) return undefined;
  const inPage = Number(region.addr % pageBytes);
  const before = Number(region.addr - va);
  if (before <= 0 || before > Math.min(inPage, guardBytes) || length > region.length + before)
    return undefined;
  const place = within(region, region.addr, 0);
  return place && { ...place, offset: guardBytes - before };
}

/** What mutants make of memory that begins within a page. */
export const inPageFaults = [
  faultsAt(remotePlace, {
    'region-offset-lost': (sound, memory, rkey, va, length, pd, right, qp) =>
      fromFirstByte(sound(memory, rkey, va, length, pd, right, qp), va, length),
    'region-begins-with-page': (sound, memory, rkey, va, length, pd, right, qp) =>
      sound(memory, rkey, va, length, pd, right, qp) ?? inFirstPage(memory.byRkey(rkey), va, length),
  }),

  faultsAt(localPlace, {
    'buffer-offset-lost': (sound, memory, sge, skip, length, pd, write) =>
      fromFirstByte(sound(memory, sge, skip, length, pd, write), sge.addr + BigInt(skip), length),
  }),
];
