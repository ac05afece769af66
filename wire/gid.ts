import { formatIpv4, formatIpv6, parseIp } from './address.ts';
import { remember } from './remember.ts';

const mappedPrefix = '00000000000000000000ffff';
const form = /^[0-9a-f]{32}$/i;

/** An entry of a GID table that is not used. */
export const unusedGid = '0'.repeat(32);

/** Whether the text is a GID: 32 hex digits. */
export function isGid(text: string): boolean {
  return form.test(text);
}

/**
 * Text of the address that a GID (32 hex digits) stands for, as packets show it: dotted IPv4 where it is a mapped one,
 * otherwise IPv6 in canonical form. RangeError for anything else.
 */
export const addressOfGid = remember((gid) => {
  if (!isGid(gid)) throw new RangeError(`"${gid}" is no GID of 32 hex digits`);
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(gid.slice(2 * i, 2 * i + 2), 16));
  return gid.toLowerCase().startsWith(mappedPrefix) ? formatIpv4(bytes, 12) : formatIpv6(bytes, 0);
});

/** GID (32 hex digits) of an IPv4 or IPv6 address; RangeError for a text that is neither. */
export const gidOfAddress = remember((address) => {
  const hex = Buffer.from(parseIp(address)).toString('hex');
  return hex.length === 8 ? mappedPrefix + hex : hex;
});
