import { feedCapture } from '../../cli/check/feed.ts';
import { inOrder } from '../../cli/check/in-order.ts';
import { Judge, type RuleSet, type TraceEvent, type TraceHeader } from '../../oracle/index.ts';
import { encode, readCapture, writePcap, type CapturedPacket } from '../../wire/index.ts';
import { opcodeByName } from '../../spec/constants.ts';
import type { DriveResult } from '../../suites/index.ts';

/** Requests of others that a capture needs before what comes twice in it counts as sent twice. */
const others = 300;
/** Nanoseconds between two of their packets. */
const apart = 5000;

/** SENDs of two other hosts, each acknowledged. */
function beside(): CapturedPacket[] {
  const [a, b] = ['198.51.100.1', '198.51.100.2'];
  return Array.from({ length: others }, (_, i): CapturedPacket[] => {
    const send = { srcIp: a, dstIp: b, destQp: 0x22, psn: i, ackReq: true, payload: new Uint8Array(16) };
    const ack = { srcIp: b, dstIp: a, destQp: 0x11, psn: i, aeth: { syndrome: 0x1f, msn: i + 1 } };
    return [
      { time: BigInt(2 * i * apart), data: encode({ ...send, opcode: opcodeByName('RC_SEND_ONLY') }) },
      { time: BigInt((2 * i + 1) * apart), data: encode({ ...ack, opcode: opcodeByName('RC_ACKNOWLEDGE') }) },
    ];
  }).flat();
}
/** Traffic of two other hosts, which is over when that of a device begins, at `othersUntil` nanoseconds. */
export const trafficOfOthers: readonly CapturedPacket[] = beside();
export const othersUntil = 2 * others * apart;

/** A capture of nothing but these frames; times in nanoseconds. */
export function pcapFrom(passed: readonly { t: number; frame: Uint8Array }[]): Uint8Array {
  return writePcap(passed.map(({ t, frame }) => ({ time: BigInt(Math.round(t)), data: frame })));
}

/** What a port that sees every packet of the device would have written to a file; undefined where there was none. */
export function pcapOf(events: readonly TraceEvent[]): Uint8Array | undefined {
  const packets = events.flatMap((event): CapturedPacket[] => {
    if (event.kind !== 'packet' && event.kind !== 'frame') return [];
    const data = event.kind === 'packet' ? event.packet.frame : event.frame;
    return [{ time: BigInt(Math.round(event.t) + othersUntil), data }];
  });
  return packets.length === 0 ? undefined : writePcap([...trafficOfOthers, ...packets]);
}

/** What an operator at that port may know of the device and say by flags: of ACK timeouts, that of the primary path. */
export function knownOf({ header, events }: DriveResult): Pick<TraceHeader, 'complete' | 'congestion'> {
  const timeouts = new Set(
    events.flatMap((event) =>
      event.kind === 'call' && event.call === 'modify_qp' && event.attr.timeout !== undefined
        ? [event.attr.timeout]
        : [],
    ),
  );
  const [timeout] = timeouts;
  const told = timeouts.size === 1 && timeout !== undefined;
  const addresses = header.dut?.addresses ?? [];
  const { congestion } = header;
  return { complete: { addresses, ...(told && { timeout }) }, ...(congestion && { congestion }) };
}

/** Rules that `check` calls broken by an end at one of these addresses. */
export async function brokenIn(
  capture: Uint8Array,
  rules: RuleSet,
  addresses: readonly string[],
  known: Partial<TraceHeader> = {},
): Promise<Set<string>> {
  const sight = { packets: 'mid-path', verbs: false } as const;
  const judge = new Judge({ sight, clock: 'recorded', ...known }, rules);
  const senders: string[] = [];
  await feedCapture(inOrder(readCapture([capture])), (event) => {
    senders.push(event.kind === 'packet' ? event.packet.srcIp : '');
    judge.push(event);
  });
  const { violations } = judge.finish();
  const byDevice = violations.filter(({ qp, event }) => {
    const [, address] = / at (\S+)$/.exec(qp) ?? [];
    return addresses.includes(address ?? senders[event] ?? '');
  });
  return new Set(byDevice.map(({ rule }) => rule));
}
