/** The device's only P_Key, that of a full member of the default partition. */
export const pkey = 0xffff;

/** Whether members with these P_Keys may talk: two limited ones may not; ours is a full one, so that the key's lower bits decide. */
export function inPartition(key: number): boolean {
  return (key & 0x7fff) === (pkey & 0x7fff);
}
