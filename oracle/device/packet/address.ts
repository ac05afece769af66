import { addressOfGid, gidOfAddress, isGid } from '../../../wire/index.ts';

/** Address of a GID as packets show it; `undefined` where the trace holds none. */
export function addressOf(gid: string): string | undefined {
  return isGid(gid) ? addressOfGid(gid) : undefined;
}

/** Whether a packet with this destination is for several, multicast or broadcast. */
export function isOfGroup(address: string): boolean {
  if (address.includes(':')) return /^ff/i.test(address);
  return Number.parseInt(address, 10) >= 224;
}

/** Addresses as packets show them, whatever form they are written in; `undefined` where one of the texts is none. */
export function addressesOf(texts: readonly string[]): Set<string> | undefined {
  try {
    return new Set(texts.map((text) => addressOfGid(gidOfAddress(text))));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
