import { describe, expect, it } from 'vitest';
import { lastLines } from '../../../adapters/rxe/qemu.ts';

const failed = (qp: number): string => `[   49.4] rxe0: qp#${qp} make_send_cqe: non-flush error status = 9`;

describe('the last lines of the console of a guest', () => {
  it('leave out what rxe logs of every failed work request, but for the newest', () => {
    const lines = lastLines([], ['booted', failed(1), failed(2), 'BUG: soft lockup', failed(3)]);
    expect(lines).toEqual(['booted', 'BUG: soft lockup', failed(3)]);
    expect(lastLines(lines, [])).toEqual(lines);
    expect(lastLines(lines, ['more'])).toEqual(['booted', 'BUG: soft lockup', 'more']);
  });

  it('are thirty at most', () => {
    const many = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    expect(lastLines(many, ['end'])).toEqual([...many.slice(11), 'end']);
  });
});
