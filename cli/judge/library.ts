import {
  judgeTrace as judge,
  type Judgement,
  type RuleSet,
  type TraceEvent,
  type TraceHeader,
} from '../../oracle/index.ts';
import { TraceFileError, TraceReader } from '../../suites/trace-file/read.ts';
import { traceLines } from '../../suites/trace-file/write.ts';

/** What is not as a trace has it, in words; the header is line 1, and each event a line. */
function asTypeError(thrown: unknown): TypeError {
  if (!(thrown instanceof TraceFileError))
    return new TypeError(`judgeTrace: ${String(thrown)}`, { cause: thrown });
  const place = thrown.line === 1 ? 'header' : `event ${thrown.line - 2}`;
  // a file has frames, where a program may have packets as well
  const said = thrown.message.replace(/^line \d+: /, '').replace(/^event\.kind must be /, '$&packet or ');
  return new TypeError(`judgeTrace: ${place}: ${said}`, { cause: thrown });
}

function mustBeEvent(event: unknown, index: number): void {
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  if (kind === undefined) throw new TypeError(`judgeTrace: event ${index}: it must be an object with a kind`);
  if (kind !== 'packet') return;
  const packet = typeof event === 'object' && event !== null && 'packet' in event ? event.packet : undefined;
  const whole =
    typeof packet === 'object' &&
    packet !== null &&
    'frame' in packet &&
    packet.frame instanceof Uint8Array &&
    'opcode' in packet;
  if (!whole)
    throw new TypeError(`judgeTrace: event ${index}: event.packet must be a packet as decode() gives it`);
}

/**
 * Judges a whole trace at once. Checks header and events first: throws TypeError that names the first event (from 0) and the field of it that
 * are not as `TraceEvent` says, also where time runs backwards.
 */
export function judgeTrace(header: TraceHeader, events: Iterable<TraceEvent>, rules: RuleSet): Judgement {
  if (typeof events !== 'object' || !(Symbol.iterator in events))
    throw new TypeError('judgeTrace: events must be an array of events, or what iterates over them');
  const list = [...events];
  for (const [index, event] of list.entries()) mustBeEvent(event, index);
  const reader = new TraceReader();
  try {
    for (const line of traceLines(header, list)) reader.read(line);
  } catch (thrown) {
    throw asTypeError(thrown);
  }
  return judge(header, list, rules);
}
