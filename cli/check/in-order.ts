import type { CaptureFrame, CaptureRecord } from '../../wire/index.ts';

/** A frame is put in its place if at most so many later ones come before it, by at most so many nanoseconds. */
const window = 1024;
const windowTime = 1_000_000_000n;

/**
 * The frames in the order of their stamps, as far as one that comes late is at most 1024 frames late, and a second: a TAP writes what its two
 * interfaces saw in portions. Frames of the same stamp keep their order.
 */
export function* inOrder(records: Iterable<CaptureRecord>): Generator<CaptureRecord> {
  let held: CaptureFrame[] = [];
  let head = 0;
  for (const record of records) {
    if (record.kind === 'damage') {
      yield* held.slice(head);
      held = [];
      head = 0;
      yield record;
      continue;
    }
    const { time } = record;
    let at = held.length;
    while (at > head && held[at - 1]!.time > time) at--;
    if (at === held.length) held.push(record);
    else held.splice(at, 0, record);
    const over = held[held.length - 1]!.time - windowTime;
    while (held.length - head > window || held[head]!.time < over) yield held[head++]!;
    if (head < window) continue;
    held = held.slice(head);
    head = 0;
  }
  yield* held.slice(head);
}
