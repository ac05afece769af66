import type { Endpoint } from '../../adapters/adapter.ts';
import { parseIp, remember } from '../../wire/index.ts';

/** Address of an endpoint in one IP version; RangeError where it has none. */
export function addressOf(endpoint: Endpoint, ip: 4 | 6): string {
  const address = ip === 4 ? endpoint.ipv4 : endpoint.ipv6;
  if (address === undefined) throw new RangeError(`the endpoint has no IPv${ip} address`);
  return address;
}

/** 32 hex digits of the GID that stands for an IP address; IPv4 is mapped (::ffff:a.b.c.d). */
export const gidOf = remember((address) => {
  const hex = Buffer.from(parseIp(address)).toString('hex');
  return hex.length === 8 ? `00000000000000000000ffff${hex}` : hex;
});

/** Index of the endpoint's own GID of one IP version. */
export function gidIndexOf(endpoint: Endpoint, ip: 4 | 6): number {
  return (ip === 4 ? endpoint.gidIndex.ipv4 : endpoint.gidIndex.ipv6) ?? 0;
}
