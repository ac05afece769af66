import { eventType, migState, qpState, wcOpcode, wcStatus } from '../../../spec/constants.ts';
import type { AsyncEvent, EventType } from '../../../spec/verbs.ts';
import type { TraceEvent, TraceHeader } from '../../../oracle/index.ts';
import { Draw } from '../random.ts';
import { another, leavesOf, withLeaf, withoutLeaf, type Leaf } from './leaves.ts';
import { at } from './times.ts';
import type { RecordedTrace, Wire } from './view.ts';

const namesOf = ({ numbers }: { numbers: Readonly<Record<string, number>> }): string[] =>
  Object.keys(numbers);

/** Names that may stand by a key, whether the trace has them or not. */
const names: Readonly<Record<string, readonly string[]>> = {
  status: namesOf(wcStatus),
  opcode: namesOf(wcOpcode),
  event_type: namesOf(eventType),
  qp_state: namesOf(qpState),
  path_mig_state: namesOf(migState),
  state: ['NOP', 'DOWN', 'INIT', 'ARMED', 'ACTIVE', 'ACTIVE_DEFER'].map((word) => `IBV_PORT_${word}`),
};

/** Names that may stand by a key; none where it has no names. */
export const namedBy = (key: string): readonly string[] => names[key] ?? [];

/** Keys whose value says of what shape the data are, or when they were. */
export const fixed: ReadonlySet<string | number> = new Set([
  'kind',
  'call',
  't',
  'start',
  'until',
  'number',
  'fate',
  'clock',
]);

export const keyOf = ({ path }: Leaf): string => String(path.findLast((key) => !/^\d+$/.test(String(key))));

/** The data of an event that may change. */
export function dataOf(event: TraceEvent): unknown {
  return event.kind === 'packet' ? event.packet.fields() : event;
}

export function put(event: TraceEvent, data: unknown, { decode, encode }: Wire): TraceEvent[] {
  if (event.kind !== 'packet') return [data as TraceEvent];
  const decoded = decode(encode(data as Parameters<Wire['encode']>[0]));
  return decoded.kind === 'packet' ? [{ ...event, packet: decoded.packet }] : [];
}

/** An event with one value changed. */
function edited(event: TraceEvent, trace: RecordedTrace, wire: Wire, draw: Draw): TraceEvent[] {
  if (event.kind === 'memory') {
    const bytes = Uint8Array.from(event.bytes);
    const at = draw.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 + draw.below(255));
    return [{ ...event, bytes }];
  }
  const data = dataOf(event);
  if (event.kind === 'packet' && draw.below(8) === 0) {
    const payload = Uint8Array.from(event.packet.payload);
    const at = draw.below(payload.length);
    payload[at] = (payload[at] ?? 0) ^ 0xff;
    const length = draw.below(2) === 0 ? payload.length : draw.below(payload.length + 1);
    return put(event, { ...event.packet.fields(), payload: payload.subarray(0, length) }, wire);
  }
  const leaf = draw.of([...leavesOf(data)].filter(({ path }) => !path.some((key) => fixed.has(key))));
  if (leaf === undefined) return [event];
  if (draw.below(10) === 0) return put(event, withoutLeaf(data, leaf.path), wire);
  const key = keyOf(leaf);
  const elsewhere = trace.events
    .filter(({ kind }) => kind === event.kind)
    .flatMap((other) => [...leavesOf(dataOf(other))])
    .filter((other) => keyOf(other) === key)
    .map(({ value }) => value);
  const value = another(leaf.value, [...elsewhere, ...(names[key] ?? [])], draw);
  return put(event, withLeaf(data, leaf.path, value), wire);
}

/** An event at another place; what would run backwards waits. */
export function relocated(events: readonly TraceEvent[], from: number, to: number): TraceEvent[] {
  const event = events[from];
  if (event === undefined) return [...events];
  const rest = events.toSpliced(from, 1);
  const t = rest[Math.max(0, to - 1)]?.t ?? 0;
  return rest.toSpliced(to, 0, at(event, t));
}

/** All from an event on comes later, or sooner, by a factor of the time that went by before it. */
function stretched(events: readonly TraceEvent[], from: number, factor: number): TraceEvent[] {
  const before = events[from - 1]?.t ?? 0;
  const first = events[from]?.t ?? before;
  const shift = Math.round((first - before) * (factor - 1));
  return events.map((event, i) => {
    if (i < from) return event;
    const t = event.t + shift;
    if (event.kind === 'stall') return { ...event, t, until: event.until + shift };
    return 'start' in event ? { ...event, t, start: event.start + shift } : { ...event, t };
  });
}

const factors = [0, 0.1, 0.24, 0.26, 0.49, 0.51, 0.9, 0.99, 1.01, 1.1, 1.9, 2.1, 3.9, 4.1, 9, 11, 100];

/** A call that succeeded fails, and the other way round. */
export function otherOutcome(event: TraceEvent, draw: Draw): TraceEvent[] {
  if (event.kind === 'call-failed') {
    const { attempted, t, start } = event;
    return attempted === undefined ? [event] : [{ kind: 'call', t, start, ...attempted }];
  }
  if (event.kind !== 'call') return [event];
  const { kind: _kind, t, start, ...attempted } = event;
  const whose = 'qp' in attempted ? { qp: attempted.qp } : {};
  const errno = draw.of([22, 12, 11, 5, 95]) ?? 22;
  return [{ kind: 'call-failed', t, start, call: attempted.call, ...whose, errno, attempted }];
}

/** An async event of any kind about anything that was made before. */
function announced(t: number, before: readonly TraceEvent[], draw: Draw): TraceEvent[] {
  const wanted = draw.of(names['event_type'] ?? []) as EventType | undefined;
  const made = draw.of(
    before.flatMap((event): Omit<AsyncEvent, 'event_type'>[] => {
      if (event.kind !== 'call') return [];
      if (event.call === 'create_qp') return [{ qp_num: event.qp_num }];
      if (event.call === 'create_cq') return [{ cq: event.cq }];
      return event.call === 'create_srq' ? [{ srq: event.srq }] : [{ port_num: 1 }];
    }),
  );
  if (wanted === undefined || made === undefined) return [];
  return [{ kind: 'async', t, event: { event_type: wanted, ...made } }];
}

function headerOf(header: TraceHeader, draw: Draw): TraceHeader {
  const words = header.capabilities;
  if (words !== undefined && draw.below(3) === 0)
    return { ...header, capabilities: words.filter((_, i) => i !== draw.below(words.length)) };
  const leaf = draw.of(
    [...leavesOf(header)].filter(
      ({ path }) => !['sight', 'capabilities', 'dut', 'clock'].includes(String(path[0])),
    ),
  );
  return leaf === undefined ? header : withLeaf(header, leaf.path, another(leaf.value, [], draw));
}

function nudge(trace: RecordedTrace, wire: Wire, draw: Draw): RecordedTrace {
  const { header, events } = trace;
  const i = draw.below(events.length);
  const event = events[i];
  if (event === undefined) return trace;
  const instead = (made: readonly TraceEvent[]): RecordedTrace => ({
    header,
    events: events.toSpliced(i, 1, ...made),
  });
  switch (draw.below(24)) {
    case 0:
      return instead([]);
    case 1:
      return instead([event, event]);
    case 2:
      return { header, events: relocated(events, i, Math.min(events.length - 1, i + 1 + draw.below(8))) };
    case 3:
      return { header, events: relocated(events, i, Math.max(0, i - 1 - draw.below(8))) };
    case 4:
    case 5:
      return { header, events: stretched(events, i, draw.of(factors) ?? 1) };
    case 6: {
      const copy = draw.of(events);
      return copy === undefined ? trace : instead([event, at(copy, event.t)]);
    }
    case 7:
      return { header, events: [...events.slice(0, i), { kind: 'settled', t: event.t }] };
    case 9: {
      const copy = draw.of(events);
      return copy === undefined ? trace : instead([event, ...edited(at(copy, event.t), trace, wire, draw)]);
    }
    case 10: {
      const calls = events.flatMap(({ kind }, place) => (kind.startsWith('call') ? [place] : []));
      const place = draw.of(calls) ?? i;
      const call = events[place] ?? event;
      return { header, events: events.toSpliced(place, 1, ...otherOutcome(call, draw)) };
    }
    case 11:
      return instead([event, ...announced(event.t, events.slice(0, i), draw)]);
    case 12:
      return instead([event, { kind: 'link', t: event.t, start: event.t, up: draw.below(2) === 0 }]);
    case 13: {
      const calls = events.flatMap(({ kind }, place) => (kind === 'call' ? [place] : []));
      const place = draw.of(calls) ?? i;
      const call = events[place] ?? event;
      return { header, events: events.toSpliced(place, 1, ...edited(call, trace, wire, draw)) };
    }
    case 8:
      return { header: headerOf(header, draw), events };
    default:
      return instead(edited(event, trace, wire, draw));
  }
}

/**
 * A trace in which `change` was made one to three times; how, is a matter of `number`. Undefined where that makes no trace, or the
 * same.
 */
export function changed(
  trace: RecordedTrace,
  number: number,
  change: (made: RecordedTrace, draw: Draw) => RecordedTrace,
): RecordedTrace | undefined {
  const draw = new Draw(number);
  let made = trace;
  try {
    for (let times = 1 + (draw.below(4) >> 1); times > 0; times--) made = change(made, draw);
  } catch (error) {
    // such as fields that no packet can have
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
  return made === trace || made.events.length === 0 ? undefined : made;
}

/**
 * A trace in which one to three things happened otherwise: a value, an order, a time, something that is missing or comes twice. Which,
 * is a matter of `number`. Undefined where that makes no trace.
 */
export function nudged(trace: RecordedTrace, number: number, wire: Wire): RecordedTrace | undefined {
  return changed(trace, number, (made, draw) => nudge(made, wire, draw));
}
