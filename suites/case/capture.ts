import type { TraceEvent } from '../../oracle/index.ts';
import { writePcapng, type CapturedPacket } from '../../wire/index.ts';
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

const interfaces = [{ name: 'to the device' }, { name: 'from the device' }] as const;

/**
 * All packets of a trace as pcapng, with the verdict as comment on the guilty one; times count from 0. Undefined where no
 * packet was seen.
 */
export function captureOf(events: readonly TraceEvent[], verdict: CaptureVerdict): Uint8Array | undefined {
  const { rule, level, says, expected, observed, adapter, event: guilty } = verdict;
  const packets: (CapturedPacket & { event: number })[] = events.flatMap((event, index) => {
    if (event.kind !== 'packet' && event.kind !== 'frame') return [];
    const data = event.kind === 'packet' ? event.packet.frame : event.frame;
    const via = event.direction === 'from-dut' ? 1 : 0;
    return [{ time: BigInt(Math.round(event.t)), data, interface: via, event: index }];
  });
  const last = packets.findLast(({ event }) => guilty === undefined || event <= guilty) ?? packets[0];
  if (last === undefined) return undefined;
  const aside =
    last.event === guilty ? '' : ' (what broke the rule is not a packet, and comes after this one)';
  const comment = `${rule} (${level}) is broken${aside}\n${says}\nexpected: ${expected}\nobserved: ${observed}`;
  return writePcapng(
    packets.map((packet) => (packet === last ? { ...packet, comments: [comment] } : packet)),
    { interfaces, application: 'rdma-conform', comment: `${rule} on ${adapter}` },
  );
}

/** Writes such a capture; gives the path, or undefined where there was no packet to write. */
export function writeCapture(
  file: string,
  events: readonly TraceEvent[],
  verdict: CaptureVerdict,
): string | undefined {
  const bytes = captureOf(events, verdict);
  if (bytes === undefined) return undefined;
  writeWhole(file, bytes);
  return file;
}
