import type { CaptureFrame, CaptureRecord } from '../../wire/index.ts';

/** A capture among several. */
export interface Part {
  /** stamp of its first frame */
  first: bigint;
  open: () => Iterator<CaptureRecord>;
}

interface Running {
  records: Iterator<CaptureRecord>;
  head: CaptureFrame;
}

/** The frames of several captures in the order of their stamps. No more of them are open than overlap in time. */
export function* merged(parts: readonly Part[]): Generator<CaptureRecord> {
  const waiting = parts.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  let running: Running[] = [];
  try {
    for (;;) {
      const oldest = running.reduce<Running | undefined>(
        (best, one) => (best === undefined || one.head.time < best.head.time ? one : best),
        undefined,
      );
      const next = waiting[0];
      if (next !== undefined && (oldest === undefined || next.first <= oldest.head.time)) {
        waiting.shift();
        const opened = { records: next.open() };
        const head = yield* advance(opened.records);
        if (head !== undefined) running.push({ ...opened, head });
        continue;
      }
      if (oldest === undefined) return;
      yield oldest.head;
      const head = yield* advance(oldest.records);
      if (head === undefined) running = running.filter((one) => one !== oldest);
      else oldest.head = head;
    }
  } finally {
    for (const { records } of running) records.return?.();
  }
}

/** The next frame; damage in front of it is passed on. */
function* advance(records: Iterator<CaptureRecord>): Generator<CaptureRecord, CaptureFrame | undefined> {
  for (;;) {
    const { value, done } = records.next();
    if (done === true) return undefined;
    if (value.kind === 'frame') return value;
    yield value;
  }
}
