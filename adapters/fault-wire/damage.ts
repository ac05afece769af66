import { ipv4HeaderSum } from '../../wire/checksum.ts';
import { decode, reseal } from '../../wire/index.ts';
import type { DamagedPart } from './plan.ts';

/** Payload bytes beyond the largest path MTU, so that no port takes the packet. */
const tooMany = 9216;

/**
 * A copy of a RoCEv2 frame with one part in front of the BTH made wrong; everything else, ICRC included, is right for the
 * frame as it is then. A frame that is no RoCEv2 is only copied.
 */
export function damaged(frame: Uint8Array, part: DamagedPart): Uint8Array {
  const decoded = decode(frame);
  const copy = new Uint8Array(frame);
  if (decoded.kind !== 'packet') return copy;
  const { packet } = decoded;
  const ip = 14 + (packet.vlanTci === undefined ? 0 : 4) + (packet.serviceTci === undefined ? 0 : 4);
  const udp = ip + (packet.ipVersion === 4 ? 20 : 40);
  const lengthAt = ip + (packet.ipVersion === 4 ? 2 : 4);
  const view = new DataView(copy.buffer);
  const add = (at: number, by: number): void => {
    view.setUint16(at, (view.getUint16(at) + by) & 0xffff);
  };
  switch (part) {
    case 'ethertype':
      view.setUint16(ip - 2, 0x88b5);
      return copy;
    case 'ip-checksum':
      if (packet.ipVersion === 6) add(lengthAt, 4);
      else view.setUint16(ip + 10, view.getUint16(ip + 10) ^ 0x0101);
      return copy;
    case 'ip-version':
      view.setUint8(ip, (view.getUint8(ip) & 0x0f) | 0x50);
      return copy;
    case 'ip-length': {
      add(lengthAt, 4);
      if (packet.ipVersion === 4) {
        view.setUint16(ip + 10, 0);
        view.setUint16(ip + 10, ipv4HeaderSum(copy, ip));
      }
      return copy;
    }
    case 'udp-port':
      add(udp + 2, 1);
      return reseal(copy);
    case 'udp-length':
      add(udp + 4, 4);
      return reseal(copy);
    case 'oversized': {
      const longer = new Uint8Array(copy.length + tooMany);
      longer.set(copy);
      const wide = new DataView(longer.buffer);
      wide.setUint16(lengthAt, wide.getUint16(lengthAt) + tooMany);
      wide.setUint16(udp + 4, wide.getUint16(udp + 4) + tooMany);
      return reseal(longer);
    }
  }
}
