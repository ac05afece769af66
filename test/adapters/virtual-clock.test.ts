import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../adapters/virtual-clock.ts';

const span = fc.double({ min: -10, max: 1e6, noNaN: true });

describe('the virtual clock', () => {
  it('counts whole nanoseconds, and fires no timer early', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ sleep: span, timer: span })), (turns) => {
        const clock = new VirtualClock();
        let wrong = 0;
        for (const { sleep, timer } of turns) {
          const set = clock.now();
          clock.setTimer(timer, () => {
            const passed = clock.now() - set;
            if (!Number.isInteger(clock.now()) || passed < timer) wrong++;
          });
          clock.advance(sleep);
        }
        clock.runUntilIdle(1e7);
        expect(wrong).toBe(0);
        expect(clock.pending).toBe(0);
      }),
    );
  });
});
