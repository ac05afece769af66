import { causeWords, isCause } from '../../../report/connections/shape.ts';
import { decodeCaptured, type CaptureRecord } from '../../../wire/index.ts';
import { ConnectionTable } from './table.ts';

/** Frames that are remembered. */
const most = 1_000_000;

/** Why packets were sent again, and which are copies, by frame: the words of a comment. Of a capture in the order of time. */
export function oddities(records: Iterable<CaptureRecord>): Map<number, string> {
  const table = new ConnectionTable();
  const found = new Map<number, string>();
  let start: bigint | undefined;
  let latest = 0;
  for (const record of records) {
    if (record.kind === 'damage') continue;
    start ??= record.time;
    latest = Math.max(latest, Number(record.time - start));
    const decoded = decodeCaptured(record);
    const packet = decoded.kind === 'packet' || decoded.kind === 'truncated' ? decoded.packet : undefined;
    if (packet === undefined) continue;
    const { sight } = table.see(packet, record.originalLength, latest);
    if (found.size >= most) break;
    if (isCause(sight)) found.set(record.number, `sent again ${causeWords[sight]} (PSN ${packet.psn})`);
    else if (sight === 'copy') found.set(record.number, `seen twice: a copy (PSN ${packet.psn})`);
  }
  return found;
}
