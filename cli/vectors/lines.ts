import { formatLine } from '../../adapters/agent/protocol.ts';
import type { DriveResult } from '../../suites/driver/index.ts';
import type { TraceEvent, VerbsCall } from '../../oracle/trace.ts';
import { traceVersion } from '../../suites/trace-file/header.ts';
import type { Target } from './target.ts';

/** Version of the format of vectors. */
export const vectorVersion = 1;

type Query = Extract<VerbsCall, { call: `query_${string}` }>;

function isQuery<T extends VerbsCall>(call: T): call is T & Query {
  return call.call.startsWith('query_');
}

/** What a bench does at an event of a trace; undefined for what the device did. */
function stimulus(event: TraceEvent): object | undefined {
  switch (event.kind) {
    case 'packet':
      return event.direction === 'to-dut'
        ? { kind: 'frame', t: event.t, direction: 'to-dut', frame: event.packet.frame }
        : undefined;
    case 'frame':
      return event.direction === 'to-dut' ? event : undefined;
    case 'call':
      if (!isQuery(event)) return event;
      return {
        kind: event.kind,
        t: event.t,
        start: event.start,
        call: event.call,
        ...('qp' in event && { qp: event.qp }),
        ...('srq' in event && { srq: event.srq }),
      };
    case 'call-failed':
      return event.attempted && { kind: 'call', t: event.t, start: event.start, ...event.attempted };
    case 'memory': {
      const { bytes, ...asked } = event;
      return { ...asked, length: bytes.length };
    }
    case 'link':
    case 'gid':
    case 'settled':
      return event;
    case 'completion':
    case 'async':
    case 'second-context':
    case 'rate':
    case 'cq-event':
    case 'hop':
    case 'stall':
    case 'gone':
    case 'gap':
      return undefined;
  }
}

/** Frames that go to the device, with their times in nanoseconds. */
export function framesOf(events: readonly TraceEvent[]): { t: number; frame: Uint8Array }[] {
  return events.flatMap((event) => {
    if (event.kind === 'packet' && event.direction === 'to-dut')
      return [{ t: event.t, frame: event.packet.frame }];
    return event.kind === 'frame' && event.direction === 'to-dut' ? [{ t: event.t, frame: event.frame }] : [];
  });
}

/** A vector as lines of NDJSON: what it is, the header of the trace that a bench records, and what the bench does, in order. */
export function* vectorLines(
  name: string,
  { header, events }: DriveResult,
  { profile, dut, peer }: Target,
): Generator<string> {
  yield formatLine({ vector: vectorVersion, name, profile, dut, peer });
  yield formatLine({ trace: traceVersion, name, header });
  for (const event of events) {
    const line = stimulus(event);
    if (line !== undefined) yield formatLine(line);
  }
}
