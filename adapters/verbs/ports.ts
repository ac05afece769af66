import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOfGid, unusedGid } from '../../wire/gid.ts';
import type { Endpoint } from '../adapter.ts';

/** What the kernel says of one entry of a GID table; both parts are unknown outside the host's own namespace. */
export interface GidFacts {
  gid: string;
  /** e.g. `RoCE v2` */
  type: string | undefined;
  netdev: string | undefined;
}

function text(...parts: string[]): string | undefined {
  try {
    const found = readFileSync(join(...parts), 'utf8').trim();
    return found === '' ? undefined : found;
  } catch {
    return undefined; // the kernel refuses to read unused entries
  }
}

/** Facts of every GID of a device's first port, by index. */
export function gidFacts(device: string, gids: readonly string[], sysfs = '/sys'): GidFacts[] {
  const attributes = join(sysfs, 'class/infiniband', device, 'ports/1/gid_attrs');
  const known = existsSync(attributes);
  return gids.map((gid, i) => ({
    gid,
    type: known ? text(attributes, 'types', String(i)) : undefined,
    netdev: known ? text(attributes, 'ndevs', String(i)) : undefined,
  }));
}

/**
 * The end at a device's port: the first RoCEv2 GID of each IP version, one that is not link-local before any that is.
 * `undefined` where there is none.
 */
export function endpointOf(facts: readonly GidFacts[], sysfs = '/sys'): Endpoint | undefined {
  const isV2 = ({ gid, type }: GidFacts): boolean =>
    gid !== unusedGid && (type === undefined || /RoCE v2/i.test(type));
  const all = facts.map((fact, index) => ({ ...fact, index })).filter(isV2);
  const ipv4 = all.find(({ gid }) => gid.startsWith('00000000000000000000ffff'));
  const six = all.filter(({ gid }) => !gid.startsWith('00000000000000000000ffff'));
  const ipv6 = six.find(({ gid }) => !gid.startsWith('fe80')) ?? six[0];
  const first = ipv4 ?? ipv6;
  if (first === undefined) return undefined;
  const mac = first.netdev === undefined ? undefined : text(sysfs, 'class/net', first.netdev, 'address');
  return {
    mac: mac ?? '00:00:00:00:00:00',
    ...(ipv4 !== undefined && { ipv4: addressOfGid(ipv4.gid) }),
    ...(ipv6 !== undefined && { ipv6: addressOfGid(ipv6.gid) }),
    gidIndex: {
      ...(ipv4 !== undefined && { ipv4: ipv4.index }),
      ...(ipv6 !== undefined && { ipv6: ipv6.index }),
    },
  };
}
