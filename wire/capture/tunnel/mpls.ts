import { u16 } from '../../bytes.ts';
import { ipv4HeaderSum } from '../../checksum.ts';
import { maybeEthernet } from './ethernet.ts';
import { missing } from './layer.ts';
import type { Layer, Place, Protocol, Step } from './layer.ts';

const mostLabels = 16;

/**
 * A stack of MPLS labels, RFC 3032. No label says what is behind it: IP by its version, else Ethernet (RFC 4448), with a control
 * word or without.
 */
export const mpls: Layer = (bytes, place) => {
  for (let n = 0; n < mostLabels; n++) {
    const at = place.at + n * 4;
    const short = missing(bytes, place, at + 4 - place.at, 'an MPLS label');
    if (short !== undefined) return short;
    // bottom of stack
    if ((bytes[at + 2]! & 1) !== 0) return behind(bytes, { ...place, at: at + 4 });
  }
  return { none: 'MPLS labels without an end' };
};

function behind(bytes: Uint8Array, place: Place): Step {
  const { at, end } = place;
  const short = missing(bytes, place, 20, 'what is behind MPLS');
  if (short !== undefined) return short;
  const version = bytes[at]! >>> 4;
  const found = (protocol: Protocol, from: number): Step => ({
    ...place,
    protocol,
    at: from,
    tunnel: 'MPLS',
  });
  const direct = maybeEthernet(bytes, at, end);
  // a MAC address may begin like an IP header
  if (version === 4 && (!direct || ipv4HeaderSum(bytes, at) === 0)) return found('ipv4', at);
  if (version === 6 && (!direct || at + 40 + u16(bytes, at + 4) === end)) return found('ipv6', at);
  if (version === 0 && maybeEthernet(bytes, at + 4, end)) return found('ethernet', at + 4);
  return direct ? found('ethernet', at) : { none: 'neither IP nor Ethernet behind MPLS' };
}
