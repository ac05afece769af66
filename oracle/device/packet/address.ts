import { addressOfGid, isGid } from '../../../wire/index.ts';

/** Address of a GID as packets show it; `undefined` where the trace holds none. */
export function addressOf(gid: string): string | undefined {
  return isGid(gid) ? addressOfGid(gid) : undefined;
}
