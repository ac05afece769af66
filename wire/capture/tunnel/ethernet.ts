import { u16 } from '../../bytes.ts';
import { missing } from './layer.ts';
import type { Layer, Protocol } from './layer.ts';

/** 802.1Q, 802.1ad, and what switches used before it. */
const tags: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100, 0x9200, 0x9300]);

const protocols: ReadonlyMap<number, Protocol> = new Map([
  [0x0800, 'ipv4'],
  [0x86dd, 'ipv6'],
  [0x8847, 'mpls'],
  [0x8848, 'mpls'],
]);

/** The protocol behind an ethertype, if it is one that a RoCEv2 packet may be behind. */
export function protocolOf(ethertype: number): Protocol | undefined {
  return protocols.get(ethertype);
}

/** True if an Ethernet header may begin at `at`: its type is one of those that are read. */
export function maybeEthernet(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + 14 > Math.min(end, bytes.length)) return false;
  const type = u16(bytes, at + 12);
  return protocols.has(type) || tags.has(type);
}

/** Stacks of tags that are no tunnel, since decode() reads them: none, one, or two of which the inner one is 802.1Q. */
const plain: ReadonlySet<string> = new Set(['', '8100', '88a8', '88a8 8100', '8100 8100']);

/** Ethernet with any number of VLAN tags. More than two, or of old types, count as a tunnel. */
export const ethernet: Layer = (bytes, place) => {
  const { at, end } = place;
  const stack: string[] = [];
  let next = at + 12;
  let tci: number | undefined;
  for (;;) {
    const short = missing(bytes, place, next + 2 - at, 'an Ethernet header');
    if (short !== undefined) return short;
    const type = u16(bytes, next);
    if (tags.has(type)) {
      const cut = missing(bytes, place, next + 6 - at, 'a VLAN tag');
      if (cut !== undefined) return cut;
      stack.push(type.toString(16));
      tci = u16(bytes, next + 2);
      next += 4;
      continue;
    }
    const protocol = protocols.get(type);
    if (protocol === undefined) return { none: `ethertype 0x${type.toString(16).padStart(4, '0')}` };
    return {
      protocol,
      at: next + 2,
      end,
      ethernet: at,
      ...(tci !== undefined && { tci }),
      ...(!plain.has(stack.join(' ')) && { tunnel: 'VLAN stack' }),
    };
  }
};
