import type { Packet } from '../../wire/packet.ts';
import type { When } from '../spot.ts';
import { packetInputs } from './arrival.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { CongestionContext } from './context.ts';
import type { CongestionQps } from './qps.ts';

const ecnWords = ['not-ect', 'ect1', 'ect0', 'ce'] as const;

/** Judges the ECN bits of a packet that the device sent. */
export function judgeEcn(
  context: CongestionContext,
  qps: CongestionQps,
  packet: Packet,
  { event, t }: When,
): void {
  const inputs = { packet: packetInputs(packet) };
  const rule = context.rule('ecn-sent', inputs);
  if (!context.breaks(rule, 'mustEcn', inputs)) return;
  const expected = ruleWord(rule, 'mustEcn') === 'ect0' ? 'ECT(0)' : 'no CE';
  const qp = qps.senderOf(packet)?.name ?? 'the device';
  context.violate(rule, { event, t, qp }, expected, `ECN ${ecnWords[packet.ecn & 3]}`);
}

/** ECN bits of a frame, whatever is in it; those of an Ethernet frame without IP are 00. */
export function ecnOfFrame(frame: Uint8Array): number {
  let at = 12;
  const type = (): number => ((frame[at] ?? 0) << 8) | (frame[at + 1] ?? 0);
  while (type() === 0x8100 || type() === 0x88a8) at += 4;
  if (type() === 0x0800) return (frame[at + 3] ?? 0) & 3;
  return type() === 0x86dd ? ((frame[at + 3] ?? 0) >> 4) & 3 : 0;
}
