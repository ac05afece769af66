import type { TraceEvent } from '../../oracle/index.ts';
import { describe, writePcapng, type CapturedPacket } from '../../wire/index.ts';
import type { WireMark } from '../driver/index.ts';
import { writeWhole } from './whole.ts';

/** What the comments in a capture of a case say. */
export interface CaptureVerdict {
  rule: string;
  level: string;
  says: string;
  expected: string;
  observed: string;
  adapter: string;
  /** index of the guilty event; absent or no packet: the last packet before it takes the comment */
  event: number | undefined;
}

/** What was seen of a case, and what the wire did to packets on their way. */
export interface SeenExchange {
  events: readonly TraceEvent[];
  wire: readonly WireMark[];
}

const interfaces = [{ name: 'to the device' }, { name: 'from the device' }] as const;

/**
 * All packets of a trace as pcapng, with the verdict as comment on the guilty one; times count from 0. Undefined where no
 * packet was seen.
 */
export function captureOf({ events, wire }: SeenExchange, verdict: CaptureVerdict): Uint8Array | undefined {
  const { rule, level, says, expected, observed, adapter, event: guilty } = verdict;
  const packets: (CapturedPacket & { event: number })[] = events.flatMap((event, index) => {
    if (event.kind !== 'packet' && event.kind !== 'frame') return [];
    const data = event.kind === 'packet' ? event.packet.frame : event.frame;
    const via = event.direction === 'from-dut' ? 1 : 0;
    return [{ time: BigInt(Math.round(event.t)), data, interface: via, event: index }];
  });
  const last = packets.findLast(({ event }) => guilty === undefined || event <= guilty) ?? packets[0];
  if (last === undefined) return undefined;
  const fates = new Map<object, string[]>();
  for (const { t, direction, packet, fate } of wire) {
    // what never reached the device is no packet of its trace: the one that comes next shows it
    const own =
      direction === 'from-dut'
        ? packets.findLast(({ time, interface: via }) => via === 1 && time <= t)
        : undefined;
    const at = own ?? packets.find(({ time }) => time >= t) ?? last;
    const what = `${fate.what} by the wire`;
    const text =
      own === undefined
        ? `${direction === 'to-dut' ? 'to' : 'from'} the device, about here: ${describe(packet)}: ${what}`
        : what;
    fates.set(at, [...(fates.get(at) ?? []), text]);
  }
  const aside =
    last.event === guilty ? '' : ' (what broke the rule is not a packet, and comes after this one)';
  const comment = `${rule} (${level}) is broken${aside}\n${says}\nexpected: ${expected}\nobserved: ${observed}`;
  return writePcapng(
    packets.map((packet) => {
      const comments = [...(packet === last ? [comment] : []), ...(fates.get(packet) ?? [])];
      return comments.length === 0 ? packet : { ...packet, comments };
    }),
    { interfaces, application: 'rdma-conform', comment: `${rule} on ${adapter}` },
  );
}

/** Writes such a capture; gives the path, or undefined where there was no packet to write. */
export function writeCapture(
  file: string,
  exchange: SeenExchange,
  verdict: CaptureVerdict,
): string | undefined {
  const bytes = captureOf(exchange, verdict);
  if (bytes === undefined) return undefined;
  writeWhole(file, bytes);
  return file;
}
