import { describe, expect, it } from 'vitest';
import { EventCopies } from '../../../suites/driver/event-copies.ts';

const err = { event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 } as const;
const copies = (): EventCopies<string> =>
  new EventCopies({ capabilities: ['second-context'], responseTime: 100 });

describe('copies of an event of the port', () => {
  it('go to the runs that were there when the first of them came', () => {
    for (const [one, other] of [
      ['first', 'second'],
      ['second', 'first'],
    ] as const) {
      const made = copies();
      expect([...made.come(one, err, 0, ['a', 'b'])]).toEqual(['a', 'b']);
      expect([...made.come(other, err, 5, ['b', 'c'])]).toEqual(['b']);
      // both have come
      expect([...made.come(other, err, 6, ['c'])]).toEqual(['c']);
    }
  });

  it('are told apart by type and port', () => {
    const made = copies();
    made.come('first', err, 0, ['a']);
    expect([...made.come('second', { ...err, port_num: 2 }, 1, ['b'])]).toEqual(['b']);
    expect([...made.come('second', { ...err, event_type: 'IBV_EVENT_PORT_ACTIVE' }, 2, ['b'])]).toEqual([
      'b',
    ]);
    expect([...made.come('second', err, 3, ['b'])]).toEqual([]);
  });

  it('that take longer than any answer are events of their own', () => {
    const made = copies();
    made.come('first', err, 0, ['a']);
    expect([...made.come('second', err, 101, ['b'])]).toEqual(['b']);
  });

  it('are none of an object, nor where there is one context', () => {
    const made = copies();
    const of = { event_type: 'IBV_EVENT_QP_FATAL', qp_num: 17 } as const;
    made.come('first', of, 0, ['a']);
    expect([...made.come('second', of, 1, ['b'])]).toEqual(['b']);
    const alone = new EventCopies<string>({ capabilities: [], responseTime: 100 });
    alone.come('first', err, 0, ['a']);
    expect([...alone.come('second', err, 1, ['b'])]).toEqual(['b']);
  });
});
