import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joined } from '../../../oracle/device/objects/memory-join.ts';
import { changed, readMemory, Region, type MemoryNode } from '../../../oracle/device/memory.ts';
import type { ByteClass } from '../../../oracle/device/objects/byte-classes.ts';

const length = 24;

const change = fc
  .record({
    offset: fc.nat(length - 1),
    length: fc.integer({ min: 1, max: 8 }),
    value: fc.integer({ min: 1, max: 3 }),
    byteClass: fc.constantFrom<ByteClass>('written', 'refused', 'undefined'),
  })
  .map((one) => ({ ...one, length: Math.min(one.length, length - one.offset) }));
const changes = fc.array(change, { maxLength: 4 });

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function chain(
  region: Region,
  start: MemoryNode | undefined,
  list: readonly Change[],
): MemoryNode | undefined {
  return list.reduce<MemoryNode | undefined>((head, { value, ...one }) => {
    const bytes = one.byteClass === 'written' ? new Uint8Array(one.length).fill(value) : undefined;
    return changed(head, { region, ...one, bytes });
  }, start);
}

const newRegion = (): Region =>
  new Region({ mr: 1, pd: 1, addr: 0n, length, lkey: 1, rkey: 1, access: ['IBV_ACCESS_LOCAL_WRITE'] });

describe('memory of two ways that nothing tells apart', () => {
  it('decides a byte where both decide it alike, and no other', () => {
    fc.assert(
      fc.property(changes, changes, changes, (common, ofOne, ofOther) => {
        const region = newRegion();
        const start = chain(region, undefined, common);
        const [one, other] = [chain(region, start, ofOne), chain(region, start, ofOther)];
        const view = (head: MemoryNode | undefined) => readMemory(head, region, 0, length);
        const [mine, its, both] = [view(one), view(other), view(joined(one, other))];
        for (let at = 0; at < length; at++) {
          const alike =
            mine.classAt(at) !== 'undefined' &&
            its.classAt(at) !== 'undefined' &&
            mine.bytes[at] === its.bytes[at];
          const decided = [mine.classAt(at), mine.bytes[at]];
          expect(both.classAt(at) === 'undefined' ? 'undefined' : [both.classAt(at), both.bytes[at]]).toEqual(
            alike ? decided : 'undefined',
          );
        }
      }),
    );
  });

  it('is one of them where they are the same', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const head = chain(newRegion(), undefined, list);
        expect(joined(head, head)).toBe(head);
      }),
    );
  });
});
