import { ipv4HeaderSum } from '../../../wire/checksum.ts';
import {
  decode,
  frameFault,
  longestFrame,
  reseal,
  type FrameFault,
  type Packet,
} from '../../../wire/index.ts';
import type { MutantId } from '../mutant.ts';

const roomForHeaders = 32;
const rocePort = 4791;

const unchecked: Readonly<Record<Exclude<FrameFault, 'oversized'>, MutantId>> = {
  ethertype: 'ethertype-unchecked',
  'ip-header': 'ip-header-unchecked',
  'udp-header': 'udp-header-unchecked',
  transport: 'cut-short-accepted',
};

/** The packet of a frame that arrives; `undefined` where the port drops it. */
export function arriving(frame: Uint8Array, fault: MutantId | undefined): Packet | undefined {
  const decoded = decode(frame);
  const sound =
    decoded.kind === 'packet' && decoded.packet.ipChecksumOk && frame.length <= longestFrame
      ? decoded.packet
      : undefined;
  if (sound !== undefined || fault === undefined) return sound;
  const wrong = frameFault(frame);
  if (wrong === undefined || wrong === 'oversized' || unchecked[wrong] !== fault) return undefined;
  const again = decode(mended(frame, wrong));
  return again.kind === 'packet' ? again.packet : undefined;
}

/** What a port that does not look at a header makes of the frame. */
function mended(frame: Uint8Array, wrong: FrameFault): Uint8Array {
  const longer = wrong === 'transport' ? roomForHeaders : 0;
  const copy = new Uint8Array(frame.length + longer);
  copy.set(frame);
  const view = new DataView(copy.buffer);
  const ip = 14;
  const v4 = (copy[ip] ?? 0) >>> 4 === 4 || view.getUint16(12) === 0x0800;
  const udp = ip + (v4 ? 20 : 40);
  if (copy.length < udp + 8) return copy;
  view.setUint16(12, v4 ? 0x0800 : 0x86dd);
  view.setUint8(ip, v4 ? 0x45 : 0x60);
  view.setUint16(ip + (v4 ? 2 : 4), copy.length - (v4 ? ip : udp));
  view.setUint16(udp + 2, rocePort);
  view.setUint16(udp + 4, copy.length - udp);
  if (v4) {
    view.setUint16(ip + 10, 0);
    view.setUint16(ip + 10, ipv4HeaderSum(copy, ip));
  }
  return reseal(copy);
}

/** The frame with a UDP length that is not that of its IP packet. */
export function withWrongUdpLength(frame: Uint8Array): Uint8Array {
  const copy = frame.slice();
  const view = new DataView(copy.buffer);
  const at = 14 + (view.getUint16(12) === 0x0800 ? 20 : 40) + 4;
  view.setUint16(at, view.getUint16(at) + 2);
  return copy;
}
