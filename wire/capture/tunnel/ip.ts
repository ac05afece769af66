import { u16 } from '../../bytes.ts';
import { missing } from './layer.ts';
import type { Layer, Place, Protocol, Step } from './layer.ts';

/** IANA protocol numbers of what may stand behind an IP header. */
const numbers: ReadonlyMap<number, [protocol: Protocol, tunnel?: string]> = new Map([
  [4, ['ipv4', 'IPv4 in IP']],
  [41, ['ipv6', 'IPv6 in IP']],
  [47, ['gre']],
  [137, ['mpls', 'MPLS in IP']],
]);

/** UDP destination ports: VXLAN (RFC 7348) and that of early Linux, GENEVE (RFC 8926), MPLS (RFC 7510). */
const ports: ReadonlyMap<number, [protocol: Protocol, tunnel?: string]> = new Map([
  [4789, ['vxlan']],
  [8472, ['vxlan']],
  [6081, ['geneve']],
  [6635, ['mpls', 'MPLS in UDP']],
]);

/** Hop-by-hop options, routing, destination options: (length + 1) * 8 bytes each. */
const extensions: ReadonlySet<number> = new Set([0, 43, 60]);
const mostExtensions = 8;

/** IPv4 with options or without. The rest of a first fragment is partial; the others hold no header. */
export const ipv4: Layer = (bytes, place) => {
  const { at } = place;
  const short = missing(bytes, place, 20, 'an IPv4 header');
  if (short !== undefined) return short;
  const headerLength = (bytes[at]! & 15) * 4;
  if (bytes[at]! >>> 4 !== 4 || headerLength < 20) return { none: 'no IPv4 header' };
  const total = u16(bytes, at + 2);
  // what a host is to cut into packets itself has no length yet
  const end = total === 0 ? place.end : Math.min(place.end, at + total);
  const fragment = u16(bytes, at + 6) & 0x3fff;
  if ((fragment & 0x1fff) !== 0) return { none: 'IPv4 fragment, not the first' };
  return behind(bytes, { ...place, at: at + headerLength, end }, bytes[at + 9]!, fragment !== 0);
};

/** IPv6 with options and routing headers; a fragment as with IPv4. */
export const ipv6: Layer = (bytes, place) => {
  const { at } = place;
  const short = missing(bytes, place, 40, 'an IPv6 header');
  if (short !== undefined) return short;
  if (bytes[at]! >>> 4 !== 6) return { none: 'no IPv6 header' };
  const length = u16(bytes, at + 4);
  const end = length === 0 ? place.end : Math.min(place.end, at + 40 + length);
  let number = bytes[at + 6]!;
  let here: Place = { ...place, at: at + 40, end };
  let partial = false;
  for (let n = 0; n < mostExtensions && (extensions.has(number) || number === 44); n++) {
    const cut = missing(bytes, here, 8, 'an IPv6 extension header');
    if (cut !== undefined) return cut;
    if (number === 44) {
      const fragment = u16(bytes, here.at + 2);
      if (fragment >>> 3 !== 0) return { none: 'IPv6 fragment, not the first' };
      partial ||= (fragment & 1) !== 0;
    }
    const size = number === 44 ? 8 : (bytes[here.at + 1]! + 1) * 8;
    number = bytes[here.at]!;
    here = { ...here, at: here.at + size };
  }
  return behind(bytes, here, number, partial);
};

function behind(bytes: Uint8Array, place: Place, number: number, partial: boolean): Step {
  const { at, end } = place;
  const part = partial ? { partial } : {};
  if (number !== 17) {
    const [protocol, tunnel] = numbers.get(number) ?? [];
    if (protocol === undefined) return { none: `IP protocol ${number}` };
    return { protocol, at, end, ...(tunnel !== undefined && { tunnel }), ...part };
  }
  const short = missing(bytes, place, 8, 'a UDP header');
  if (short !== undefined) return short;
  const port = u16(bytes, at + 2);
  const [protocol, tunnel] = ports.get(port) ?? [];
  if (protocol === undefined) return { none: `UDP port ${port}` };
  return { protocol, at: at + 8, end, ...(tunnel !== undefined && { tunnel }), ...part };
}
