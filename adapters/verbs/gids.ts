import { unusedGid } from '../../wire/gid.ts';

/** GIDs that are read at most; tables of vendors' devices have hundreds of entries, nearly all unused. */
const maxGids = 16;

/**
 * The first GIDs of a port, 32 hex digits each, 0 where an entry is not used. `query` gives one into a buffer of 16 bytes, and 0 if it
 * could; `length`: entries of the table.
 */
export function firstGids(query: (index: number, gid: Buffer) => number, length: number): string[] {
  const gid = Buffer.alloc(16);
  return Array.from({ length: Math.min(length, maxGids) }, (_, index) =>
    query(index, gid) === 0 ? gid.toString('hex') : unusedGid,
  );
}
