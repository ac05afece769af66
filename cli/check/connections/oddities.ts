import { causeWords, isCause } from '../../../report/connections/shape.ts';
import type { CaptureRecord } from '../../../wire/index.ts';
import { placedPackets } from './placed.ts';

/** Frames that are remembered. */
const most = 1_000_000;

/** Why packets were sent again, and which are copies, by frame: the words of a comment. Of a capture in the order of time. */
export function oddities(records: Iterable<CaptureRecord>): Map<number, string> {
  const found = new Map<number, string>();
  for (const { placed, packet, frame } of placedPackets(records)) {
    if (found.size >= most) break;
    const { sight } = placed;
    if (isCause(sight)) found.set(frame, `sent again ${causeWords[sight]} (PSN ${packet.psn})`);
    else if (sight === 'copy') found.set(frame, `seen twice: a copy (PSN ${packet.psn})`);
  }
  return found;
}
