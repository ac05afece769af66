import { decode } from '../decode.ts';
import type { Decoded } from '../packet.ts';
import { erfEthernetAt, erfWireLength } from './erf.ts';
import { unwrap } from './tunnel/unwrap.ts';
import type { Within } from './tunnel/unwrap.ts';
import type { CaptureFrame } from './types.ts';

/** LINKTYPE_ values that can be read. */
export const linktypes = {
  ethernet: 1,
  rawIp: 101,
  linuxSll: 113,
  erf: 197,
  ipv4: 228,
  ipv6: 229,
  linuxSll2: 276,
} as const;

/** Bytes in front of the IP packet, and the Ethernet header that stands for them. */
interface Lead {
  length: number;
  ethernet: Uint8Array;
}

/**
 * decode() of a captured packet of any known link type, or of the one within the tunnels that it is in. The frame of a link without an
 * Ethernet header gets one made up from what is known (unknown addresses are zero). An unknown link type is `not-roce`, and the reason names it.
 */
export function decodeCaptured(frame: CaptureFrame): Decoded & { within?: Within } {
  const { data, linktype, originalLength } = frame;
  if (linktype === linktypes.ethernet) return decodeFrame(data, originalLength);
  if (linktype === linktypes.erf) return decodeErf(data);
  const lead = leadOf(data, linktype);
  if (lead === undefined) {
    return {
      kind: 'not-roce',
      reason: `link type ${linktype}: only ${Object.values(linktypes).join(', ')} are known`,
    };
  }
  if (data.length < lead.length) return cutWithinLink(lead.length, data.length);
  const ethernet = new Uint8Array(14 + data.length - lead.length);
  ethernet.set(lead.ethernet);
  ethernet.set(data.subarray(lead.length), 14);
  return decodeFrame(ethernet, originalLength - lead.length + 14);
}

function decodeFrame(frame: Uint8Array, wire: number): Decoded & { within?: Within } {
  const decoded = decode(frame, wire);
  return decoded.kind === 'not-roce' ? (unwrap(frame, wire) ?? decoded) : decoded;
}

function decodeErf(data: Uint8Array): Decoded & { within?: Within } {
  const at = erfEthernetAt(data);
  if (data.length < Math.max(at, 16)) return cutWithinLink(Math.max(at, 16), data.length);
  if (at < 0) return { kind: 'not-roce', reason: `ERF record of type ${(data[8] ?? 0) & 0x7f}, no Ethernet` };
  const length = erfWireLength(data);
  const decoded = decodeFrame(data.subarray(at), length);
  return { ...decoded, within: decoded.within ?? { tunnels: [], length } };
}

function cutWithinLink(need: number, have: number): Decoded {
  return { kind: 'truncated', reason: 'cut short within the link header', need, have };
}

function leadOf(data: Uint8Array, linktype: number): Lead | undefined {
  const ethernet = new Uint8Array(14);
  switch (linktype) {
    case linktypes.rawIp:
    case linktypes.ipv4:
    case linktypes.ipv6:
      ethernet.set((data[0] ?? 0) >>> 4 === 6 ? [0x86, 0xdd] : [0x08, 0x00], 12);
      return { length: 0, ethernet };
    case linktypes.linuxSll:
      // packet type, hardware type, address length, address (8), protocol
      if (data[5] === 6) ethernet.set(data.subarray(6, 12), 6);
      ethernet.set(data.subarray(14, 16), 12);
      return { length: 16, ethernet };
    case linktypes.linuxSll2:
      // protocol, reserved, interface index (4), hardware type, packet type (1), address length (1), address (8)
      if (data[11] === 6) ethernet.set(data.subarray(12, 18), 6);
      ethernet.set(data.subarray(0, 2), 12);
      return { length: 20, ethernet };
    default:
      return undefined;
  }
}
