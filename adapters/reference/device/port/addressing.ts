import { addressOfGid, gidOfAddress } from '../../../../wire/index.ts';
import type { Endpoint } from '../../../adapter.ts';

export { addressOfGid, gidOfAddress };

/** The canonical text of an endpoint's address of that version. */
export function endpointAddress(endpoint: Endpoint, version: 4 | 6): string | undefined {
  const address = version === 4 ? endpoint.ipv4 : endpoint.ipv6;
  return address === undefined ? undefined : addressOfGid(gidOfAddress(address));
}
