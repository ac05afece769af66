import { changed, readMemory, type MemoryNode } from '../memory.ts';

/**
 * The memory where either of two chains of changes tells what was done, and nothing will ever tell which: that of the one, but
 * undecided where the other leaves another content, or leaves it undecided.
 */
export function joined(one: MemoryNode | undefined, other: MemoryNode | undefined): MemoryNode | undefined {
  let head = one;
  for (const { region, offset, length } of apart(one, other)) {
    const mine = readMemory(head, region, offset, length);
    const its = readMemory(other, region, offset, length);
    const open = (at: number): boolean =>
      at < length &&
      mine.classAt(at) !== 'undefined' &&
      (its.classAt(at) === 'undefined' || mine.bytes[at] !== its.bytes[at]);
    for (let from = 0; from < length; from++) {
      let to = from;
      while (open(to)) to++;
      if (to > from)
        head = changed(head, {
          region,
          offset: offset + from,
          length: to - from,
          bytes: undefined,
          byteClass: 'undefined',
        });
      from = to;
    }
  }
  return head;
}

/** The changes that are in one of the two chains alone. */
function apart(one: MemoryNode | undefined, other: MemoryNode | undefined): MemoryNode[] {
  const found: MemoryNode[] = [];
  let [a, b] = [one, other];
  while (a !== b) {
    const deeper: MemoryNode | undefined = (a?.depth ?? 0) >= (b?.depth ?? 0) ? a : b;
    if (deeper === undefined) break;
    found.push(deeper);
    if (deeper === a) a = a.previous;
    else b = b?.previous;
  }
  return found;
}
