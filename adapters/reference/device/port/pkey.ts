import { seam } from '../../seam.ts';
import type { Varied } from '../../seam.ts';

/** The device's only P_Key, that of a full member of the default partition. */
export const pkey = 0xffff;

/** The P_Keys of its port by index. Key 0 stands for an entry that is not used. */
export const pkeyTable: readonly number[] = [pkey, 0];

/** What ibv_query_pkey gives; `undefined` where the table has no such entry. */
export const pkeyEntry = seam((_device: Varied, index: number): number | undefined => pkeyTable[index]);

/** Whether members with these P_Keys may talk: two limited ones may not; ours is a full one, so that the key's lower bits decide. */
export function inPartition(key: number): boolean {
  return (key & 0x7fff) === (pkey & 0x7fff);
}
