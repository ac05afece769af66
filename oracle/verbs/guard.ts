import { byteText } from '../device/byte-text.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';
import type { VerbsContext } from './context.ts';

/** Bytes beside a region belong to nobody. */
export function judgeGuard(
  context: VerbsContext,
  { mr, offset, bytes }: Extract<TraceEvent, { kind: 'memory' }>,
  when: When,
): void {
  const region = context.objects.memory.regions.get(mr);
  if (region === undefined) return;
  const { length } = region;
  const parts = [
    { guard: 'before', from: 0, to: Math.min(bytes.length, -offset) },
    { guard: 'behind', from: Math.max(0, length - offset), to: bytes.length },
  ];
  for (const { guard, from, to } of parts) {
    if (from >= to) continue;
    const written = Math.max(
      0,
      bytes.subarray(from, to).findIndex((byte) => byte !== 0),
    );
    const value = bytes[from + written] ?? 0;
    const inputs = context.event(undefined);
    inputs.byte = { value };
    const met = context.met(undefined, inputs, { guard });
    for (const rule of context.book.broken('guard', 'mustGuard', met)) {
      const at = `byte ${offset + from + written} of region ${mr}, which has ${length} bytes,`;
      context.book.violate(rule, { ...when, qp: 'memory' }, `${at} = 0x00`, byteText(value));
    }
  }
}
