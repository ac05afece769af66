import { demanding } from '../rulebook/outcome.ts';
import { byteText } from '../device/byte-text.ts';
import type { OooBook } from './registers.ts';
import type { TraceEvent } from '../trace.ts';
import type { Memory } from '../device/memory.ts';
import type { PlacedMemory } from './memory.ts';
import type { OutOfOrderPair } from './pair.ts';

type MemoryEvent = Extract<TraceEvent, { kind: 'memory' }>;

/** Holds bytes read back from the memory of a device that has out-of-order QPs alone against what packets did to it. */
export function judgePlacedMemory(
  around: {
    pairs: readonly OutOfOrderPair[];
    book: OooBook;
    memory: Memory;
    placements: PlacedMemory;
  },
  event: MemoryEvent,
  index: number,
): void {
  const { pairs, book, memory, placements } = around;
  const region = memory.regions.get(event.mr);
  if (region === undefined) return book.skip('memory that no verbs call registered');
  const { offset, bytes: seen } = event;
  // beside the region stand bytes that belong to nobody
  if (offset < 0 || offset + seen.length > region.length) return;
  if (pairs.some(({ unsure }) => unsure)) return book.skip('memory, since the state of a QP was not known');
  const rules = new Map(
    [...placements.classesIn(region, offset, seen.length)]
      .filter((name) => name !== 'open')
      .map((name) => [name, book.decide('memory', { placed: name })] as const),
  );
  for (const [name, found] of rules) {
    const strict = demanding(found, 'mustHold', 'placed');
    const rule = strict ?? demanding(found, 'mustHold', 'either');
    if (rule === undefined) continue;
    const wrong = seen.findIndex((byte, i) => {
      const at = offset + i;
      if (byte === region.content[at] || placements.classAt(region, at) !== name) return false;
      return strict !== undefined || byte !== placements.otherAt(region, at);
    });
    if (wrong < 0) continue;
    const at = offset + wrong;
    const spot = { event: index, t: event.t, qp: pairs[0]?.qp.name ?? 'memory' };
    const expected = `byte ${at} of region ${event.mr} = ${byteText(region.content[at])}`;
    book.violate(rule, spot, expected, byteText(seen[wrong]));
  }
}
