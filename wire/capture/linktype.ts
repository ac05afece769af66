import { decode } from '../decode.ts';
import type { Decoded } from '../packet.ts';
import type { CaptureFrame } from './types.ts';

/** LINKTYPE_ values that can be read. */
export const linktypes = {
  ethernet: 1,
  rawIp: 101,
  linuxSll: 113,
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
 * decode() of a captured packet of any known link type; the frame of a link without an Ethernet header gets one
 * made up from what is known (unknown addresses are zero). An unknown link type is `not-roce`, and the reason names it.
 */
export function decodeCaptured(frame: CaptureFrame): Decoded {
  const { data, linktype, originalLength } = frame;
  if (linktype === linktypes.ethernet) return decode(data, originalLength);
  const lead = leadOf(data, linktype);
  if (lead === undefined) {
    return {
      kind: 'not-roce',
      reason: `link type ${linktype}: only ${Object.values(linktypes).join(', ')} are known`,
    };
  }
  if (data.length < lead.length) {
    const reason = 'cut short within the link header';
    return { kind: 'truncated', reason, need: lead.length, have: data.length };
  }
  const ethernet = new Uint8Array(14 + data.length - lead.length);
  ethernet.set(lead.ethernet);
  ethernet.set(data.subarray(lead.length), 14);
  return decode(ethernet, originalLength - lead.length + 14);
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
