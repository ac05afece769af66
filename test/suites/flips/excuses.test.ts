import { describe, expect, it } from 'vitest';
import { loadExcuses, parseExcuses, staleExcuses } from '../../../suites/flips/excuses.ts';

const text = `most: 2
excused:
  - because: Nothing that a device does depends on it.
    flips: ['a reply: ack -> nak', 'b state.msn.starts: 0 -> (0) + 1']
`;

describe('excuses of flips', () => {
  it('the list of the package can be read', () => {
    expect(loadExcuses().most).toBeGreaterThanOrEqual(0);
  });

  it('have a reason each', () => {
    const { most, reasons } = parseExcuses(text);
    expect(most).toBe(2);
    expect([...reasons.keys()]).toEqual(['a reply: ack -> nak', 'b state.msn.starts: 0 -> (0) + 1']);
    expect(new Set(reasons.values())).toEqual(new Set(['Nothing that a device does depends on it.']));
  });

  it.each([
    ['most: 2\n', /excused/],
    [text.replace('Nothing that a device does depends on it.', 'so'), /flips\.yaml:3/],
    [text.replace('flips:', 'flip:'), /flips\.yaml:\d+/],
  ])('are refused with their place: %#', (wrong, message) => {
    expect(() => parseExcuses(wrong)).toThrow(message);
  });

  it('may only shrink, and are for flips that nobody notices', () => {
    const names = ['a reply: ack -> nak', 'b state.msn.starts: 0 -> (0) + 1'];
    const excuses = parseExcuses(text);
    expect(staleExcuses(excuses, new Set(names), new Set())).toEqual([]);
    expect(staleExcuses(excuses, new Set(names), new Set(names.slice(1)))).toEqual([
      'excused, and noticed: b state.msn.starts: 0 -> (0) + 1',
    ]);
    expect(staleExcuses(excuses, new Set(names.slice(1)), new Set())).toEqual([
      'no such flip: a reply: ack -> nak',
    ]);
    expect(staleExcuses({ ...excuses, most: 1 }, new Set(names), new Set())).toHaveLength(1);
    expect(staleExcuses({ ...excuses, most: 3 }, new Set(names), new Set())).toHaveLength(1);
  });
});
