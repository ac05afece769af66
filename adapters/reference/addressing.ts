import { formatIpv4, formatIpv6, parseIp, remember } from '../../wire/index.ts';
import type { Endpoint } from '../adapter.ts';

const mappedPrefix = '00000000000000000000ffff';

/** Text form of the address that a GID (32 hex digits) stands for: IPv4 where it is a mapped one. */
export const addressOfGid = remember((gid) => {
  if (!/^[0-9a-f]{32}$/i.test(gid)) throw new RangeError(`"${gid}" is no GID of 32 hex digits`);
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(gid.slice(2 * i, 2 * i + 2), 16));
  return gid.toLowerCase().startsWith(mappedPrefix) ? formatIpv4(bytes, 12) : formatIpv6(bytes, 0);
});

/** GID (32 hex digits) of an IPv4 or IPv6 address. */
export const gidOfAddress = remember((address) => {
  const bytes = parseIp(address);
  const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
  return bytes.length === 4 ? mappedPrefix + hex : hex;
});

/** The canonical text of an endpoint's address of that version. */
export function endpointAddress(endpoint: Endpoint, version: 4 | 6): string | undefined {
  const address = version === 4 ? endpoint.ipv4 : endpoint.ipv6;
  return address === undefined ? undefined : addressOfGid(gidOfAddress(address));
}
