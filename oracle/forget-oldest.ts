/** Keeps to `most` entries: where there is one more, the one that was added first goes. Gives its key. */
export function forgetOldest<K>(
  kept: Pick<Map<K, unknown> | Set<K>, 'size' | 'keys' | 'delete'>,
  most: number,
): K | undefined {
  if (kept.size <= most) return undefined;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
  return oldest;
}
