/**
 * A pure function of a text that remembers its last results. Few addresses come again and again, and reading text costs
 * more than the CRC of a packet. Results are shared between callers, so they must not be changed.
 */
export function remember<T extends object | string>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    if (known.size >= 256) known.clear();
    known.set(text, result);
    return result;
  };
}
