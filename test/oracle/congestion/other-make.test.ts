import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reactionOf, type Make } from './other-make.ts';
import { brisk, responseTime } from './trace.ts';

const usual: Make = { cut: 'at-once', raises: 'target', timerFrom: 'cut', releases: true };
const { decreaseSlot, timer } = brisk.dcqcn;

/** Makes that the document allows. */
const makes: readonly Make[] = (['at-once', 'slot-end', 'own-slot'] as const).flatMap((cut) =>
  (['target', 'both', 'rate'] as const).flatMap((raises) =>
    (['cut', 'cnp'] as const).flatMap((timerFrom) =>
      [true, false].map((releases) => ({ cut, raises, timerFrom, releases })),
    ),
  ),
);

describe('a reaction point that asks no table', () => {
  it.each(makes)(
    'is found right: cut $cut, raises $raises, timer from $timerFrom, releases $releases',
    (make) => {
      const gap = fc.oneof(
        fc.integer({ min: 0, max: 3 * decreaseSlot }),
        fc.constantFrom(decreaseSlot, timer, 2_000_000),
      );
      fc.assert(
        fc.property(fc.array(gap, { minLength: 1, maxLength: 8 }), (gaps) => {
          let t = 0;
          const cnps = gaps.map((gap) => (t += gap));
          expect(reactionOf(make, cnps, t + 2_000_000).broken()).toEqual([]);
        }),
        { numRuns: 10 },
      );
    },
  );

  it('may be back at the line rate though a CNP was part of the cut before', () => {
    const cnps = [0, decreaseSlot / 2];
    const trace = reactionOf(usual, cnps, 4_000_000);
    const slots = trace.events.filter(
      (event) => event.kind === 'rate' && event.record.cause === 'alpha-slot',
    );
    expect(slots.at(-1)?.t).toBeLessThan(3_000_000);
    expect(trace.broken()).toEqual([]);
  });

  it('owes a cut for what comes behind the slot, though something came in the slot as well', () => {
    const cnps = [0, 0.5, 1.4, 2.3].map((slots) => slots * decreaseSlot);
    const until = 2.4 * decreaseSlot + responseTime + 1;
    expect(reactionOf(usual, cnps, until).broken()).toEqual([]);
    expect(reactionOf({ ...usual, slotProlonged: true }, cnps, until).broken()).toEqual(['cc-cut-owed']);
    expect(reactionOf({ ...usual, slotProlonged: true }, cnps, until - 2).broken()).toEqual([]);
  });
});
