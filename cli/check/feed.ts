import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TraceEvent } from '../../oracle/trace.ts';
import type { CheckResult } from '../../report/check-results.ts';
import type { CaptureFrame, CaptureRecord } from '../../wire/index.ts';
import { ConnectionTable } from './connections/table.ts';
import { packetIn } from './frames.ts';
import { FrameNumbers } from './frame-numbers.ts';
import { MigratedCounts } from './migrated-counts.ts';
import { PacketReader } from './packet-reader.ts';
import { SkippedFrames } from './skipped.ts';
import { CapturedTraffic } from './traffic.ts';

/** What a capture held beside the packets that were handed on. */
export interface Fed {
  frames: number;
  packets: number;
  /** frames with an earlier stamp than one before them, too late to be put in order; they count as simultaneous */
  backwards: number;
  numbers: FrameNumbers;
  reader: PacketReader;
  skipped: SkippedFrames;
  traffic: CapturedTraffic;
  migrated: MigratedCounts;
  connections: ConnectionTable;
  /** link types of the frames, as the file numbers them */
  linktypes: Set<number>;
  /** of several files, what the others say */
  otherDamage: string[];
  damage?: NonNullable<CheckResult['damage']>;
  interrupted: boolean;
}

export interface FeedOptions {
  signal?: AbortSignal;
  progress?: (fed: Fed) => void;
  /** called behind each packet */
  judged?: (fed: Fed) => void;
  /** settles once more frames can be taken */
  room?: () => Promise<void>;
  /** name of a frame, by its number, for people */
  place?: (frame: number) => string;
}

/** Frames between two looks at the clock and at signals. */
const batch = 2048;

/**
 * Hands the packets of a capture to a judge, as they come. Frames that are no packets are counted; a packet that the
 * capture cut behind its transport headers is judged by these.
 */
export async function feedCapture(
  records: Iterable<CaptureRecord>,
  push: (event: TraceEvent) => void,
  options: FeedOptions = {},
): Promise<Fed> {
  const fed: Fed = {
    frames: 0,
    packets: 0,
    backwards: 0,
    numbers: new FrameNumbers(),
    reader: new PacketReader(),
    skipped: new SkippedFrames(),
    traffic: new CapturedTraffic(),
    migrated: new MigratedCounts(),
    connections: new ConnectionTable(),
    linktypes: new Set(),
    otherDamage: [],
    interrupted: false,
  };
  let start: bigint | undefined;
  let events = 0;
  let latest = 0;
  let linktype: number | undefined;

  const timeOf = (frame: CaptureFrame): number => {
    start ??= frame.time;
    const t = Number(frame.time - start);
    if (t < latest) fed.backwards++;
    latest = Math.max(latest, t);
    return latest;
  };
  const emit = (event: TraceEvent, frame: CaptureFrame): void => {
    fed.numbers.add(events++, frame.number);
    push(event);
    options.judged?.(fed);
  };
  const take = (frame: CaptureFrame): void => {
    const t = timeOf(frame);
    const decoded = fed.reader.read(frame);
    if (decoded.kind !== 'packet') fed.skipped.add(decoded, frame.number);
    const packet = packetIn(decoded);
    if (packet !== undefined) {
      fed.packets++;
      fed.traffic.saw(packet);
      fed.migrated.saw(packet);
      fed.connections.see(packet, decoded.within?.length ?? frame.originalLength, t);
      emit({ kind: 'packet', t, direction: 'unknown', packet, number: frame.number }, frame);
    } else if (decoded.kind === 'truncated') {
      // It may have been any packet: what is known of its connection ends here.
      emit(
        {
          kind: 'gap',
          t,
          reason: `frame ${options.place?.(frame.number) ?? frame.number} is cut short within its headers`,
        },
        frame,
      );
    }
  };

  for (const record of records) {
    if (record.kind === 'damage') {
      const { offset, message } = record;
      if (fed.damage === undefined) fed.damage = { offset, message };
      else fed.otherDamage.push(message);
      continue;
    }
    fed.frames++;
    if (record.linktype !== linktype) fed.linktypes.add((linktype = record.linktype));
    take(record);
    if (fed.frames % batch !== 0) continue;
    options.progress?.(fed);
    await nextTurn();
    await options.room?.();
    if (options.signal?.aborted === true) {
      fed.interrupted = true;
      break;
    }
  }
  return fed;
}
