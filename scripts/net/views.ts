import type { TraceEvent, TraceHeader } from '../../oracle/index.ts';

/** A trace as a build keeps it. */
export interface RecordedTrace {
  header: TraceHeader;
  events: readonly TraceEvent[];
}

type View = (trace: RecordedTrace) => RecordedTrace | undefined;
type Kind = TraceEvent['kind'];

export const captureHeader: TraceHeader = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' };

/** What a capture in the middle of the path would show. */
const capture: View = ({ events }) => {
  const packets = events.flatMap((event): TraceEvent[] =>
    event.kind === 'packet' ? [{ ...event, direction: 'unknown' }] : [],
  );
  return packets.length === 0 ? undefined : { header: captureHeader, events: packets };
};

function middle(events: readonly TraceEvent[], fits: (event: TraceEvent) => boolean): number | undefined {
  const places = events.flatMap((event, i) => (fits(event) ? [i] : []));
  return places[places.length >> 1];
}

/** Puts something in the place of the middle one of the events that fit. */
function changed(fits: (event: TraceEvent) => boolean, change: (event: TraceEvent) => TraceEvent[]): View {
  return ({ header, events }) => {
    const at = middle(events, fits);
    const event = at === undefined ? undefined : events[at];
    return event === undefined || at === undefined
      ? undefined
      : { header, events: [...events.slice(0, at), ...change(event), ...events.slice(at + 1)] };
  };
}

const packetOf =
  (direction: string) =>
  (event: TraceEvent): boolean =>
    event.kind === 'packet' && event.direction === direction;
const of =
  (kind: Kind) =>
  (event: TraceEvent): boolean =>
    event.kind === kind;
const nothing = (): TraceEvent[] => [];
const twice = (event: TraceEvent): TraceEvent[] => [event, event];

/** All that happened behind the middle comes `factor` times as late after what was before it. */
function paced(factor: number): View {
  return ({ header, events }) => {
    const from = events[events.length >> 1]?.t ?? 0;
    const at = (t: number): number => (t <= from ? t : from + Math.round((t - from) * factor));
    return {
      header,
      events: events.map((event) => {
        const t = at(event.t);
        if (event.kind === 'stall') return { ...event, t, until: at(event.until) };
        return 'start' in event ? { ...event, t, start: at(event.start) } : { ...event, t };
      }),
    };
  };
}

function stalled({ header, events }: RecordedTrace): RecordedTrace | undefined {
  const at = Math.floor(events.length * 0.3);
  const [from, until] = [events[at]?.t, events[Math.floor(events.length * 0.7)]?.t];
  if (from === undefined || until === undefined || until <= from) return undefined;
  const timing = { responseTime: header.timing?.responseTime ?? 20_000, jitter: 5000 };
  const stall: TraceEvent = { kind: 'stall', t: from, until };
  return {
    header: { ...header, clock: 'real', timing },
    events: [...events.slice(0, at), stall, ...events.slice(at)],
  };
}

function lossy(trace: RecordedTrace): RecordedTrace | undefined {
  const seen = capture(trace);
  return seen && { ...seen, events: seen.events.filter((_, i) => i % 5 !== 3) };
}

function blind({ header, events }: RecordedTrace): RecordedTrace | undefined {
  const at = events.length >> 1;
  const t = events[at]?.t;
  if (t === undefined) return undefined;
  const gap: TraceEvent = { kind: 'gap', t, reason: 'the recorder lost sight' };
  return { header, events: [...events.slice(0, at), gap, ...events.slice(at)] };
}

function flipped(event: TraceEvent): TraceEvent[] {
  if (event.kind !== 'memory') return [event];
  const bytes = Uint8Array.from(event.bytes);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return [{ ...event, bytes }];
}

function turned(event: TraceEvent): TraceEvent[] {
  if (event.kind !== 'completion') return [event];
  const { wc } = event;
  const status = wc.status === 'IBV_WC_SUCCESS' ? 'IBV_WC_REM_ACCESS_ERR' : 'IBV_WC_SUCCESS';
  return [{ ...event, wc: { ...wc, status } }];
}

/**
 * Other traces that are made of one: seen from elsewhere, by a recorder that knows or sees less, or of a device that did
 * something else. What the spec says of them is not the question; both builds have to say the same.
 */
const views: Readonly<Record<string, View>> = {
  capture,
  'capture with loss': lossy,
  'cut short': ({ header, events }) => ({ header, events: events.slice(0, Math.ceil(events.length * 0.6)) }),
  'lost sight': blind,
  stalled,
  undeclared: ({ header: { sight, clock, dut }, events }) => ({
    header: { sight, clock, ...(dut && { dut }) },
    events,
  }),
  'answer lost': changed(packetOf('from-dut'), nothing),
  'answer twice': changed(packetOf('from-dut'), twice),
  'packet unseen': changed(packetOf('to-dut'), nothing),
  'completion lost': changed(of('completion'), nothing),
  'completion twice': changed(of('completion'), twice),
  'completion turned': changed(of('completion'), turned),
  'memory changed': changed(of('memory'), flipped),
  'event lost': changed(of('async'), nothing),
  'event twice': changed(of('async'), twice),
  'call unseen': changed(of('call'), nothing),
  slow: paced(3),
  hasty: paced(0.3),
};

const names = Object.keys(views);

/** One more trace that is made of this one, which of them is a matter of `number`. */
export function viewOf(
  trace: RecordedTrace,
  number: number,
): { view: string; trace: RecordedTrace } | undefined {
  for (let i = 0; i < names.length; i++) {
    const view = names[(number + i) % names.length] ?? '';
    const found = views[view]?.(trace);
    if (found !== undefined) return { view, trace: found };
  }
  return undefined;
}
