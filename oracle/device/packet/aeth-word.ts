/** Syndrome in `aethWord` of a packet; -1 where that is -1, without an AETH. */
export function syndromeOf(aethWord: number): number {
  return aethWord < 0 ? -1 : aethWord >>> 24;
}

/** MSN in `aethWord` of a packet; -1 where that is -1. */
export function msnOf(aethWord: number): number {
  return aethWord < 0 ? -1 : aethWord & 0xffffff;
}
