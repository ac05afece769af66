/** FNV-1a of a text: 32 bits that are always the same for it, and differ for neighbours. `salt` gives another hash of the same text. */
export function hashOf(text: string, salt = 0): number {
  let hash = salt ^ 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
