import { describe, expect, it } from 'vitest';
import type { AsyncEvent, EventType } from '../../../spec/verbs.ts';
import { dut } from '../trace/packets.ts';
import { VerbsTrace, type Setup } from '../verbs/trace.ts';

const judged = /^user-context\//;

/** A trace that shows what two user contexts receive. */
const traced = (setup: Setup = {}): VerbsTrace =>
  new VerbsTrace({ capabilities: ['second-context'], judged, ...setup });

type Context = 'async' | 'second-context';

/** One context receives an event. */
function told(trace: VerbsTrace, kind: Context, type: EventType, more: Partial<AsyncEvent> = {}): VerbsTrace {
  return trace.add({ kind, t: ++trace.t, event: { event_type: type, ...more } });
}

const port = { port_num: 1 };

describe('an event of an object', () => {
  const types: readonly [EventType, Partial<AsyncEvent>][] = [
    ['IBV_EVENT_QP_ACCESS_ERR', { qp_num: dut.qp }],
    ['IBV_EVENT_CQ_ERR', { cq: 1 }],
    ['IBV_EVENT_SRQ_LIMIT_REACHED', { srq: 5 }],
    // as one that nobody can name
    ['IBV_EVENT_COMM_EST', {}],
  ];

  it.each(types)('comes to its owner alone: %s', (type, more) => {
    const owner = told(traced(), 'async', type, more).settle();
    expect(owner.broken()).toEqual([]);
    expect(owner.judge().exercised.has('context-event-owner-only')).toBe(true);
    expect(told(traced(), 'second-context', type, more).settle().broken()).toEqual([
      'context-event-owner-only',
    ]);
    const both = told(told(traced(), 'async', type, more), 'second-context', type, more);
    expect(both.settle().broken()).toEqual(['context-event-owner-only']);
  });

  it('is judged by nobody else where it comes to the other context', () => {
    const trace = told(traced({ judged: /./ }), 'second-context', 'IBV_EVENT_QP_FATAL', { qp_num: dut.qp });
    expect(trace.settle().posts(1).broken()).toEqual(['context-event-owner-only']);
  });

  it('that the documents do not know may come to any', () => {
    for (const type of ['IBV_EVENT_WQ_FATAL', 'IBV_EVENT_UNKNOWN_77'] as EventType[])
      for (const kind of ['async', 'second-context'] as const)
        expect(told(traced(), kind, type).settle().broken()).toEqual([]);
  });
});

describe('an event of the port', () => {
  const err = 'IBV_EVENT_PORT_ERR';

  it('comes to both contexts, in either order', () => {
    for (const [one, other] of [
      ['async', 'second-context'],
      ['second-context', 'async'],
    ] as const) {
      const trace = told(told(traced(), one, err, port), other, err, port).settle();
      expect(trace.broken()).toEqual([]);
      const { exercised } = trace.judge();
      expect([...exercised.keys()].filter((id) => id.startsWith('context-copy')).toSorted()).toEqual([
        'context-copy-first',
        'context-copy-second',
      ]);
    }
  });

  it('is missed in the context that it has not reached when all is at rest', () => {
    expect(told(traced(), 'async', err, port).broken()).toEqual([]);
    expect(told(traced(), 'async', err, port).settle().broken()).toEqual(['context-copy-second']);
    expect(told(traced(), 'second-context', err, port).settle().broken()).toEqual(['context-copy-first']);
    const late = told(told(traced(), 'async', err, port).settle(), 'second-context', err, port);
    expect(late.settle().broken()).toEqual(['context-copy-second', 'context-copy-first']);
  });

  it('is counted by type and port, as often as it comes', () => {
    const flap = (trace: VerbsTrace, kind: Context): VerbsTrace =>
      told(told(trace, kind, err, port), kind, 'IBV_EVENT_PORT_ACTIVE', port);
    expect(flap(flap(traced(), 'async'), 'second-context').settle().broken()).toEqual([]);
    const once = flap(flap(flap(traced(), 'async'), 'async'), 'second-context').settle();
    expect(once.broken()).toEqual(['context-copy-second', 'context-copy-second']);
    const others = told(told(traced(), 'async', err, port), 'second-context', err, { port_num: 2 });
    expect(others.settle().broken()).toEqual(['context-copy-second', 'context-copy-first']);
  });

  it('is not missed where the trace does not show both contexts, or has lost sight', () => {
    const alone = told(traced({ capabilities: [] }), 'async', err, port).settle();
    expect(alone.broken()).toEqual([]);
    const untold = told(traced(), 'async', err, port).settle();
    const { capabilities: _, ...header } = untold.header;
    Object.assign(untold, { header });
    expect(untold.broken()).toEqual([]);
    const gap = told(traced(), 'async', err, port).add({ kind: 'gap', t: 9, reason: 'a stall' }).settle();
    expect(gap.broken()).toEqual([]);
    expect(told(gap, 'second-context', err, port).settle().broken()).toEqual([]);
  });

  it('is not owed once the device has failed for good, whichever context is told of it', () => {
    for (const kind of ['async', 'second-context'] as const) {
      const trace = told(traced({ judged: /./ }), kind, 'IBV_EVENT_DEVICE_FATAL');
      expect(told(trace, 'async', err, port).settle().broken()).toEqual([]);
    }
  });
});

describe('a report that is held until no earlier packet can follow', () => {
  it('is not taken any sooner because a second context receives an event', () => {
    const events = (second: boolean): VerbsTrace => {
      const trace = traced({ judged: /./ });
      trace.event('IBV_EVENT_PORT_ERR', port);
      const event = { event_type: 'IBV_EVENT_PORT_ERR', ...port } as const;
      return second ? trace.add({ kind: 'second-context', t: trace.t, event }) : trace;
    };
    const [one, two] = [false, true].map((second) =>
      events(second)
        .link(false)
        .settle()
        .broken()
        .filter((id) => !id.startsWith('context-')),
    );
    expect(two).toEqual(one);
  });
});
