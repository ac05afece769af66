import type { CaptureFrame, CaptureRecord } from '../../wire/index.ts';

/** A frame is put in its place if at most so many later ones come before it, by at most so many nanoseconds. */
const window = 1024;
const windowTime = 1e9;

/**
 * The frames in the order of their stamps, as far as one that comes late is at most 1024 frames late, and a second: a TAP writes what its two
 * interfaces saw in portions. Frames of the same stamp keep their order.
 */
export function* inOrder(records: Iterable<CaptureRecord>): Generator<CaptureRecord> {
  let held: CaptureFrame[] = [];
  /** times of those that are held, in nanoseconds since the first frame: arithmetic on bigints costs more than the rest */
  let times: number[] = [];
  let head = 0;
  let start: bigint | undefined;
  for (const record of records) {
    if (record.kind === 'damage') {
      yield* held.slice(head);
      held = [];
      times = [];
      head = 0;
      yield record;
      continue;
    }
    start ??= record.time;
    const time = Number(record.time - start);
    let at = held.length;
    while (at > head && times[at - 1]! > time) at--;
    if (at === held.length) {
      held.push(record);
      times.push(time);
    } else {
      held.splice(at, 0, record);
      times.splice(at, 0, time);
    }
    const over = times[times.length - 1]! - windowTime;
    while (held.length - head > window || times[head]! < over) yield held[head++]!;
    if (head < window) continue;
    held = held.slice(head);
    times = times.slice(head);
    head = 0;
  }
  yield* held.slice(head);
}
