import { opcodes } from '../spec/constants.ts';
import { u16, u24 } from './bytes.ts';
import { frameFault, type FrameFault } from './frame-fault.ts';
import { bthBytes } from './layout.ts';

const faults: Readonly<Record<FrameFault, string>> = {
  ethertype: 'neither IPv4 nor IPv6',
  'ip-header': 'an IP header that is wrong',
  'udp-header': 'a UDP header that is wrong',
  transport: 'cut short',
  oversized: 'longer than any port takes',
};

/** What the BTH of a frame says whose other headers are not all there; nothing where it is not there itself. */
function bthText(frame: Uint8Array): string {
  let at = 12;
  while (u16(frame, at) === 0x8100 || u16(frame, at) === 0x88a8) at += 4;
  const bth = at + 2 + (u16(frame, at) === 0x0800 ? 20 : 40) + 8;
  if (frame.length < bth + bthBytes) return '';
  const opcode = frame[bth] ?? 0;
  const name = opcodes[opcode]?.name.replace('_', ' ') ?? `opcode 0x${opcode.toString(16).padStart(2, '0')}`;
  return ` ${name} psn ${u24(frame, bth + 9)} qp 0x${u24(frame, bth + 5)
    .toString(16)
    .padStart(6, '0')}`;
}

/** A frame that is no RoCEv2 packet, in one line: what keeps it from being one, and how long it is. */
export function describeFrame(frame: Uint8Array): string {
  const fault = frameFault(frame);
  const bth = fault === 'transport' ? bthText(frame) : '';
  return `no packet: ${fault === undefined ? 'sound' : faults[fault]}${bth}, ${frame.length} bytes`;
}
