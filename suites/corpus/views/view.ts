import type { TraceEvent, TraceHeader } from '../../../oracle/index.ts';
import type { Packet, PacketFields } from '../../../wire/index.ts';

/** A trace as a build keeps it. */
export interface RecordedTrace {
  header: TraceHeader;
  events: readonly TraceEvent[];
}

/** The codec of the build that keeps a trace. */
export interface Wire {
  encode: (fields: PacketFields) => Uint8Array;
  decode: typeof import('../../../wire/index.ts').decode;
}

/** A trace that is made of another; undefined where there is nothing in it to make it of. */
export type View = (trace: RecordedTrace, wire: Wire) => RecordedTrace | undefined;

type Fits = (event: TraceEvent) => boolean;

/** Events of a kind. */
export const of =
  (kind: TraceEvent['kind']): Fits =>
  (event) =>
    event.kind === kind;

/** Packets in one direction. */
export const packets =
  (direction: 'to-dut' | 'from-dut'): Fits =>
  (event) =>
    event.kind === 'packet' && event.direction === direction;

/** Calls by name. */
export const calls =
  (...names: string[]): Fits =>
  (event) =>
    event.kind === 'call' && names.includes(event.call);

/** Puts something in the place of the middle one of the events that fit; `undefined` leaves nothing to judge. */
export function changed(
  fits: Fits,
  change: (event: TraceEvent, wire: Wire) => TraceEvent[] | undefined,
): View {
  return ({ header, events }, wire) => {
    const places = events.flatMap((event, i) => (fits(event) ? [i] : []));
    const at = places[places.length >> 1];
    const event = at === undefined ? undefined : events[at];
    if (event === undefined || at === undefined) return undefined;
    const instead = change(event, wire);
    return instead && { header, events: [...events.slice(0, at), ...instead, ...events.slice(at + 1)] };
  };
}

/** Moves the middle one of the events that fit to the end, but for what rounds the trace off. */
export function moved(fits: Fits): View {
  return (trace, wire) => {
    let taken: TraceEvent | undefined;
    const rest = changed(fits, (event) => {
      taken = event;
      return [];
    })(trace, wire);
    if (rest === undefined || taken === undefined) return undefined;
    const { t } = rest.events.at(-1) ?? taken;
    const late = taken.kind === 'call' ? { ...taken, t, start: t } : { ...taken, t };
    return { header: rest.header, events: [...rest.events, late, { kind: 'settled', t }] };
  };
}

/** Puts what is made of the trace so far in front of the event at this share of the trace. */
export function inserted(
  share: number,
  make: (t: number, before: readonly TraceEvent[]) => TraceEvent | undefined,
): View {
  return ({ header, events }) => {
    const at = Math.floor(events.length * share);
    const t = events[at]?.t;
    const event = t === undefined ? undefined : make(t, events.slice(0, at));
    return event && { header, events: [...events.slice(0, at), event, ...events.slice(at)] };
  };
}

/** A packet with other fields; undefined where it makes no packet. */
export function rewritten(
  change: (packet: Packet) => Partial<PacketFields> | undefined,
): (event: TraceEvent, wire: Wire) => TraceEvent[] | undefined {
  return (event, { encode, decode }) => {
    const fields = event.kind === 'packet' ? change(event.packet) : undefined;
    if (event.kind !== 'packet' || fields === undefined) return undefined;
    const decoded = decode(encode({ ...event.packet.fields(), ...fields }));
    return decoded.kind === 'packet' ? [{ ...event, packet: decoded.packet }] : undefined;
  };
}
