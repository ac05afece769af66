import { u16 } from '../../bytes.ts';
import { missing } from './layer.ts';
import type { Layer } from './layer.ts';

// A mirror may cut what it copies, and does not always say so.
const mirrored = { partial: true } as const;

/** ERSPAN type I: the frame stands right behind GRE. */
export const erspan1: Layer = (_bytes, { at, end }) => ({
  protocol: 'ethernet',
  at,
  end,
  tunnel: 'ERSPAN I',
  ...mirrored,
});

/** ERSPAN type II: version 1 in the upper four bits, VLAN, session, port index; eight bytes. */
export const erspan2: Layer = (bytes, place) => {
  const { at, end } = place;
  const short = missing(bytes, place, 8, 'an ERSPAN header');
  if (short !== undefined) return short;
  if (bytes[at]! >>> 4 !== 1) return { none: `ERSPAN version ${bytes[at]! >>> 4}` };
  return { protocol: 'ethernet', at: at + 8, end, tunnel: 'ERSPAN II', ...mirrored };
};

/** ERSPAN type III: version 2, twelve bytes, the last bit of which announces eight more; frame type 0 is Ethernet and 2 is IP. */
export const erspan3: Layer = (bytes, place) => {
  const { at, end } = place;
  const short = missing(bytes, place, 12, 'an ERSPAN header');
  if (short !== undefined) return short;
  if (bytes[at]! >>> 4 !== 2) return { none: `ERSPAN version ${bytes[at]! >>> 4}` };
  const last = u16(bytes, at + 10);
  const next = at + 12 + (last & 1) * 8;
  const cut = missing(bytes, place, next + 1 - at, 'an ERSPAN header');
  if (cut !== undefined) return cut;
  const frameType = (last >>> 10) & 0x1f;
  if (frameType !== 0 && frameType !== 2) return { none: `ERSPAN frame type ${frameType}` };
  const ip = bytes[next]! >>> 4 === 6 ? 'ipv6' : 'ipv4';
  return { protocol: frameType === 0 ? 'ethernet' : ip, at: next, end, tunnel: 'ERSPAN III', ...mirrored };
};
