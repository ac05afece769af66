import type { CheckResult, CheckViolation } from './check-results.ts';
import { count, grouped } from './text.ts';

/** "frame 6", "frame 6 of b.pcap". */
export function frameName({ frame, file }: { frame: number; file?: string }): string {
  return `frame ${grouped(frame)}${file === undefined ? '' : ` of ${file}`}`;
}

/** Where in the file the guilty frame or event stands. */
export function placeOf({ frame, file, line, trace }: CheckViolation): string {
  const where =
    frame !== undefined
      ? frameName({ frame, ...(file !== undefined && { file }) })
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
