import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TraceEvent } from '../../oracle/index.ts';
import type { Build } from './build.ts';
import { compareJudgements, inNamesBefore } from './compare.ts';
import { compareEvents, judge } from './drive.ts';
import type { Held, Pair } from './hold.ts';
import { captureHeader, viewOf } from '../../suites/corpus/views/index.ts';

const notSearched = new Set(['node_modules', 'dist', '.git']);

/** Captures below a folder. */
export function capturesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return notSearched.has(entry.name) ? [] : capturesIn(path);
      return /\.pcap(ng)?$/.test(entry.name) ? [path] : [];
    })
    .toSorted();
}

/** The packets of a capture as `check` hands them to the oracle. */
function eventsOf(build: Build, file: string): TraceEvent[] {
  const events: TraceEvent[] = [];
  let start: bigint | undefined;
  let t = 0;
  for (const record of build.readCapture(file)) {
    if (record.kind === 'damage') break;
    const { time, number } = record;
    start ??= time;
    t = Math.max(t, Number(time - start));
    const decoded = build.decodeCaptured(record);
    const packet = decoded.kind === 'packet' || decoded.kind === 'truncated' ? decoded.packet : undefined;
    if (packet !== undefined) events.push({ kind: 'packet', t, direction: 'unknown', packet, number });
    else if (decoded.kind === 'truncated')
      events.push({ kind: 'gap', t, reason: `frame ${number} is cut short within its headers` });
  }
  return events;
}

/** Holds the builds against each other on one capture, as it is and with what a recorder could have missed. */
export function holdCapture({ before, after, names }: Pair, file: string): Held {
  const header = captureHeader;
  const [first, second] = [eventsOf(before.build, file), eventsOf(after.build, file)];
  const differences = compareEvents(first, second);
  if (differences.length > 0) return { judged: 0, differences, broken: [] };
  let judged = 0;
  for (let number = -1; number < 8; number++) {
    const [seen, own] = [[first, before.build] as const, [second, after.build] as const].map(
      ([events, wire]) =>
        number < 0
          ? { view: undefined, trace: { header, events } }
          : viewOf({ header, events }, number, wire),
    );
    if (seen === undefined || own === undefined) continue;
    const found = compareJudgements(
      judge(before.build, before.rules, seen.trace),
      inNamesBefore(judge(after.build, after.rules, own.trace), names),
    );
    judged++;
    differences.push(
      ...found.map((one) => ({ ...one, ...(seen.view !== undefined && { view: seen.view }) })),
    );
  }
  return { judged, differences, broken: [] };
}

/** Name of a capture in a report. */
export function captureName(folder: string, file: string): string {
  return relative(folder, file);
}
