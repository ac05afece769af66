import type { CheckResult, CheckViolation } from './check-results.ts';
import { count, grouped } from './text.ts';

/** Where in the file the guilty frame or event stands. */
export function placeOf({ frame, line, trace }: CheckViolation): string {
  const where =
    frame !== undefined
      ? `frame ${grouped(frame)}`
      : line !== undefined
        ? `line ${grouped(line)}`
        : 'no single frame';
  return trace === undefined ? where : `${where} (${trace})`;
}

/** How much was judged. */
export function judgedIn({ frames, packets, traces, events }: CheckResult): string {
  const seen = `${count(frames, 'frame')}, ${count(packets, 'RoCEv2 packet')} judged`;
  return traces === undefined ? seen : `${count(traces, 'trace')}, ${count(events ?? 0, 'event')}, ${seen}`;
}
