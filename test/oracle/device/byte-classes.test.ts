import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ByteClasses,
  mark,
  nameOfClass,
  type ByteClass,
} from '../../../oracle/device/objects/byte-classes.ts';

const names: readonly ByteClass[] = [
  'unnamed',
  'written',
  'refused',
  'repeated',
  'undefined',
  'fetched',
  'header',
];
/** Some pages, the last one not whole. */
const length = 0x28000;
const place = fc.oneof(
  fc.integer({ min: 0, max: length }),
  fc.constantFrom(0, 0x10000, 0x1ffff, 0x20000, length, length + 9),
);
const change = fc.record({
  ends: fc.tuple(place, place).map((ends) => ends.toSorted((a, b) => a - b)),
  to: fc.constantFrom(...names, 'forgotten' as const),
});

describe('the classes of the bytes of a region', () => {
  it('are those of one number for each byte, whatever is kept of them', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.tuple(place, place), (changes, [a, b]) => {
        const classes = new ByteClasses(length);
        const plain = new Uint8Array(length);
        for (const { ends, to } of changes) {
          const [from = 0, end = 0] = ends;
          if (to === 'forgotten') {
            classes.forget(from, end);
            plain.fill(0, from, end);
          } else {
            classes.mark(from, end, to);
            mark(plain, from, end, to);
          }
        }
        const [from, end] = [Math.min(a, b, length), Math.min(Math.max(a, b), length)];
        expect(Buffer.compare(classes.copy(from, end - from), plain.subarray(from, end))).toBe(0);
        for (const at of [from, end].filter((offset) => offset < length))
          expect(classes.at(at)).toBe(nameOfClass(plain[at]));
        const there = names.filter((name, value) => name !== 'undefined' && plain.includes(value));
        expect(new Set(classes.present())).toEqual(new Set(there));
      }),
      { numRuns: 200 },
    );
  });

  it('keep a byte undecided until something writes it', () => {
    const classes = new ByteClasses(4);
    classes.mark(0, 4, 'undefined');
    classes.mark(0, 4, 'refused');
    classes.mark(1, 2, 'written');
    expect([0, 1, 2, 3].map((at) => classes.at(at))).toEqual([
      'undefined',
      'written',
      'undefined',
      'undefined',
    ]);
  });
});
