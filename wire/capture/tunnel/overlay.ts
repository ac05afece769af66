import { u16, u24 } from '../../bytes.ts';
import { protocolOf } from './ethernet.ts';
import { missing } from './layer.ts';
import type { Layer } from './layer.ts';

/** VXLAN, RFC 7348: flags, 24 reserved bits, network identifier, 8 reserved bits. */
export const vxlan: Layer = (bytes, place) => {
  const { at, end } = place;
  const short = missing(bytes, place, 8, 'a VXLAN header');
  if (short !== undefined) return short;
  if ((bytes[at]! & 0x08) === 0) return { none: 'VXLAN without a network identifier' };
  return { protocol: 'ethernet', at: at + 8, end, tunnel: 'VXLAN', network: `VXLAN ${u24(bytes, at + 4)}` };
};

/** GENEVE, RFC 8926: version and length of options in words, flags, protocol, network identifier, options. */
export const geneve: Layer = (bytes, place) => {
  const { at, end } = place;
  const short = missing(bytes, place, 8, 'a GENEVE header');
  if (short !== undefined) return short;
  if (bytes[at]! >>> 6 !== 0) return { none: `GENEVE version ${bytes[at]! >>> 6}` };
  const type = u16(bytes, at + 2);
  const protocol = type === 0x6558 ? 'ethernet' : protocolOf(type);
  if (protocol === undefined) return { none: `GENEVE protocol 0x${type.toString(16).padStart(4, '0')}` };
  const length = 8 + (bytes[at]! & 0x3f) * 4;
  return { protocol, at: at + length, end, tunnel: 'GENEVE', network: `GENEVE ${u24(bytes, at + 4)}` };
};
