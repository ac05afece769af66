import { formatLine } from '../../adapters/agent/protocol.ts';
import type { TraceEvent, TraceHeader } from '../../oracle/trace.ts';
import { traceVersion } from './header.ts';

function lineOf(event: TraceEvent): object {
  if (event.kind !== 'packet') return event;
  const { t, direction, packet } = event;
  return { kind: 'frame', t, direction, frame: packet.frame };
}

/**
 * A trace as lines of NDJSON (`spec/schema/trace.schema.json`): its header, then one event each. `name` says where it is from. A
 * file may hold several, one behind the other.
 */
export function* traceLines(
  header: TraceHeader,
  events: Iterable<TraceEvent>,
  name?: string,
): Generator<string> {
  yield formatLine({ trace: traceVersion, ...(name !== undefined && { name }), header });
  for (const event of events) yield formatLine(lineOf(event));
}
