import type { Endpoint } from '../../../adapters/adapter.ts';

export { gidOfAddress as gidOf } from '../../../wire/index.ts';

/** Address of an endpoint in one IP version; RangeError where it has none. */
export function addressOf(endpoint: Endpoint, ip: 4 | 6): string {
  const address = ip === 4 ? endpoint.ipv4 : endpoint.ipv6;
  if (address === undefined) throw new RangeError(`the endpoint has no IPv${ip} address`);
  return address;
}

/** Index of the endpoint's own GID of one IP version. */
export function gidIndexOf(endpoint: Endpoint, ip: 4 | 6): number {
  return (ip === 4 ? endpoint.gidIndex.ipv4 : endpoint.gidIndex.ipv6) ?? 0;
}

export function otherIp(ip: 4 | 6): 4 | 6 {
  return ip === 4 ? 6 : 4;
}
