import { u16, u24 } from '../../bytes.ts';
import { protocolOf } from './ethernet.ts';
import { missing } from './layer.ts';
import type { Layer } from './layer.ts';

const flags = { checksum: 0x8000, routing: 0x4000, key: 0x2000, sequence: 0x1000 } as const;

/**
 * GRE, RFC 2784 and 2890: flags, protocol, and four bytes each for checksum, key and sequence number. A key in front of Ethernet is the
 * network of NVGRE (RFC 7637), in its upper 24 bits.
 */
export const gre: Layer = (bytes, place) => {
  const { at, end } = place;
  const short = missing(bytes, place, 4, 'a GRE header');
  if (short !== undefined) return short;
  const head = u16(bytes, at);
  const type = u16(bytes, at + 2);
  if ((head & 7) !== 0 || (head & flags.routing) !== 0) return { none: 'GRE version 1 or with routing' };
  const keyAt = at + 4 + (head & flags.checksum ? 4 : 0);
  const sequenceAt = keyAt + (head & flags.key ? 4 : 0);
  const next = sequenceAt + (head & flags.sequence ? 4 : 0);
  const cut = missing(bytes, place, next - at, 'a GRE header');
  if (cut !== undefined) return cut;
  // type I has no header of its own, and no sequence number, by which the two differ
  if (type === 0x88be) {
    return { protocol: head & flags.sequence ? 'erspan2' : 'erspan1', at: next, end };
  }
  if (type === 0x22eb) return { protocol: 'erspan3', at: next, end };
  const protocol = type === 0x6558 ? 'ethernet' : protocolOf(type);
  if (protocol === undefined) return { none: `GRE protocol 0x${type.toString(16).padStart(4, '0')}` };
  const keyed = head & flags.key && protocol === 'ethernet';
  return { protocol, at: next, end, tunnel: 'GRE', ...(keyed && { network: `NVGRE ${u24(bytes, keyAt)}` }) };
};
