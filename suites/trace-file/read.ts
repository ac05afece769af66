import { object, numberOf, ShapeError, text, type Checked } from '../../adapters/agent/check.ts';
import type { TraceEvent, TraceHeader } from '../../oracle/trace.ts';
import { decode, frameFault } from '../../wire/index.ts';
import { header, traceVersion } from './header.ts';
import { parseEvent, type FrameLine } from './events.ts';

/** A line of a trace file is wrong. The message names the line, and the field where one is. */
export class TraceFileError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'TraceFileError';
    this.line = line;
  }
}

/** The first line of a trace. */
export const beginning = object({ trace: numberOf(traceVersion), header }, { name: text });

/** What a line of a trace file holds. */
export type TraceLine =
  | { kind: 'begin'; line: number; name: string | undefined; header: TraceHeader }
  | { kind: 'event'; line: number; event: TraceEvent };

/** Reads the lines of trace files, one after the other. */
export class TraceReader {
  #line = 0;
  #time = 0;
  #packets = 0;
  #begun = false;

  /** One line without its end; undefined where it is empty. Throws TraceFileError. */
  read(text: string): TraceLine | undefined {
    const line = ++this.#line;
    if (text.trim() === '') return undefined;
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && 'trace' in value) {
        const { name, header: head } = this.#begin(value);
        return { kind: 'begin', line, name, header: head };
      }
      if (!this.#begun)
        throw ShapeError.missing('trace', `a trace begins with {"trace":${traceVersion},"header":...}`);
      return { kind: 'event', line, event: this.#event(value) };
    } catch (thrown) {
      if (thrown instanceof SyntaxError) throw new TraceFileError(line, `no JSON: ${thrown.message}`);
      if (thrown instanceof ShapeError) throw new TraceFileError(line, thrown.message);
      throw thrown;
    }
  }

  #begin(value: object): Checked<typeof beginning> {
    const begun = beginning(value, 'trace');
    this.#begun = true;
    this.#time = 0;
    this.#packets = 0;
    return begun;
  }

  #event(value: unknown): TraceEvent {
    const event = parseEvent(value, 'event');
    if (event.t < this.#time)
      throw new ShapeError('event.t', `${this.#time} or later, as the event before`, event.t);
    if ('start' in event && event.start > event.t)
      throw new ShapeError('event.start', `${event.t} or earlier, when the call returned`, event.start);
    this.#time = event.t;
    return event.kind === 'frame' ? this.#frame(event) : event;
  }

  /** A port takes it for a packet, or drops it: as in a live run. */
  #frame({ t, direction, frame }: FrameLine): TraceEvent {
    const decoded = decode(frame);
    if (decoded.kind === 'packet' && frameFault(frame) === undefined)
      return { kind: 'packet', t, direction, packet: decoded.packet, number: ++this.#packets };
    if (direction === 'unknown')
      throw new ShapeError('event.frame', 'a RoCEv2 packet, where its direction is not known', decoded.kind);
    return { kind: 'frame', t, direction, frame };
  }
}
