import fc from 'fast-check';
import { inject, packet, settle } from '../../arbitraries/packets.ts';
import { fillBytes } from '../../driver/setup/fill.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import type { Step } from '../../scenario.ts';

/** Bits of 64 in which what is compared differs from memory, the lowest first; none: it is the same. */
const differing: readonly bigint[] = [
  0n,
  1n << 32n,
  1n,
  1n << 63n,
  1n << 31n,
  0xffffffffn << 32n,
  0xffffffffn,
  1n << 48n,
  1n << 15n,
];

const bits: Grid<bigint> = {
  name: 'bits in which the value that is compared differs from memory',
  cells: () => differing,
};

/** The first eight bytes of a region of this fill, as a little-endian host reads them. */
function firstWord(fill: number): bigint {
  return Buffer.from(fillBytes(fill, 8)).readBigUInt64LE();
}

const fill = 1;

export const atomicBits: SuiteProperty = {
  id: 'rc-responder/atomic-bits',
  suite: 'rc-responder',
  says: 'A Compare & Swap compares and swaps all 64 bits, and a Fetch & Add carries from each bit to the next.',
  requires: ['atomic'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        mask: anyCell(bits, profile),
        swap: fc.constantFrom(0x0123_4567_89ab_cdefn, 0xffff_ffff_0000_0000n, 0x0000_0000_ffff_ffffn),
        asked: fc.constantFrom(0, 16, 31, 32, 33, 47, 62),
      }),
      (_, { mask, swap, asked }) => {
        const target = { region: 0, offset: 0, length: 8 };
        const atomic = (operation: string, compare: bigint, swapOrAdd: bigint): Step =>
          inject(
            packet(operation, {
              target,
              atomic: { compare: String(compare), swapOrAdd: String(swapOrAdd) },
            }),
          );
        const word = firstWord(fill);
        const held = mask === 0n ? swap : word;
        // so much that the bits up to this one become zeros, and the carry goes to the next
        const low = (1n << BigInt(asked + 1)) - 1n;
        return {
          steps: [
            atomic('COMPARE_SWAP', word ^ mask, swap),
            settle,
            atomic('FETCH_ADD', 0n, (low + 1n - (held & low)) & low),
            settle,
            inject(packet('RDMA_READ_REQUEST', { target })),
            settle,
          ],
        };
      },
    ),
  grids: [bits],
  aims: ['rc-atomic-data', 'rc-atomic-executed', 'rc-read-data'],
};
