import { guardBytes } from '../../../adapter.ts';
import { payloadOf } from '../../rc-requester/segment.ts';
import { readable } from '../../rc-responder/read.ts';
import { store } from '../../rc-responder/write.ts';
import { faultsAt } from '../../seam.ts';

/** Bytes from an address on to the next multiple of 2^32. */
function toCarry(address: bigint): number {
  return Number((1n << 32n) - (address & 0xffff_ffffn));
}

/** A copy of the bytes in which those from `at` on are zeros. */
function zeroedFrom(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  if (at < copy.length) copy.fill(0, at);
  return copy;
}

/** Addresses whose upper 32 bits take no carry from the lower ones. */
export const carryFaults = [
  faultsAt(store, {
    'write-carry-lost': (sound, core, place, at, data, last) => {
      const start = place === undefined ? 0n : place.region.addr + BigInt(place.offset - guardBytes);
      if (at < toCarry(start)) sound(core, place, at, data, last);
    },
  }),

  faultsAt(readable, {
    'read-carry-lost': (sound, core, qp, reth) => {
      const data = sound(core, qp, reth);
      return data === undefined ? undefined : zeroedFrom(data, toCarry(reth.va));
    },
  }),

  faultsAt(payloadOf, {
    'gather-carry-lost': (sound, core, qp, wqe, offset, length) => {
      const data = sound(core, qp, wqe, offset, length);
      const [first] = wqe.wr.sg_list;
      if (data === undefined || first === undefined || wqe.inline !== undefined) return data;
      return zeroedFrom(data, Math.max(0, toCarry(first.addr) - offset));
    },
  }),
];
