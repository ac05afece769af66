import type { RuleSet, TraceEvent } from '../../oracle/index.ts';
import { describe } from '../../wire/index.ts';
import type { Build } from './build.ts';
import type { Difference, Judged } from './compare.ts';
import { messageOf, type Driven } from '../../suites/corpus/drive.ts';
import { canonical, same } from '../../suites/corpus/same.ts';
import type { RecordedTrace } from '../../suites/corpus/views/index.ts';

/** Judges a trace by one build. */
export function judge(build: Build, rules: RuleSet, { header, events }: RecordedTrace): Judged {
  try {
    return build.judgeTrace(header, events, rules);
  } catch (error) {
    return { thrown: messageOf(error) };
  }
}

/** Where two devices went different ways: the first event that is not the same, or what else differs. */
export function compareDrives(before: Driven, after: Driven): Difference[] {
  const differ = (key: string, a: unknown, b: unknown): Difference[] =>
    same(a, b) ? [] : [{ field: 'trace', key, before: canonical(a ?? null), after: canonical(b ?? null) }];
  const [a, b] = [before.drive, after.drive];
  return [
    ...differ('trouble', before.trouble, after.trouble),
    ...differ('header', a?.header, b?.header),
    ...compareEvents(a?.events ?? [], b?.events ?? []),
    ...differ('completions of the peer', a?.peerCompletions, b?.peerCompletions),
    ...differ('faults met', a?.wire.length, b?.wire.length),
  ];
}

/** The first event that is not the same in both. */
export function compareEvents(events: readonly TraceEvent[], others: readonly TraceEvent[]): Difference[] {
  const at = firstDifference(events, others);
  return at === undefined ? [] : [eventsDiffer(at, events[at], others[at])];
}

function firstDifference(events: readonly TraceEvent[], others: readonly TraceEvent[]): number | undefined {
  const first = events.findIndex((event, i) => !sameEvent(event, others[i]));
  if (first >= 0) return first;
  return events.length === others.length ? undefined : events.length;
}

/** A packet is what its frame says, however a build keeps it. */
function sameEvent(a: TraceEvent, b: TraceEvent | undefined): boolean {
  if (a.kind !== 'packet' || b?.kind !== 'packet') return same(a, b);
  return a.t === b.t && a.direction === b.direction && same(a.packet.frame, b.packet.frame);
}

function eventsDiffer(at: number, a: TraceEvent | undefined, b: TraceEvent | undefined): Difference {
  const kind = a?.kind ?? b?.kind ?? 'event';
  return { field: 'trace', key: kind, before: `event ${at}: ${shown(a)}`, after: `event ${at}: ${shown(b)}` };
}

function shown(event: TraceEvent | undefined): string {
  if (event?.kind !== 'packet') return event === undefined ? 'none' : canonical(event);
  const { t, direction, packet } = event;
  return `${t} ns ${direction} ${describe(packet)}: ${Buffer.from(packet.frame).toString('hex')}`;
}

/** A trace of another build as this build would have recorded it: packets decoded anew. */
export function adopted(build: Build, events: readonly TraceEvent[]): TraceEvent[] {
  return events.map((event) => {
    if (event.kind !== 'packet') return event;
    const decoded = build.decode(event.packet.frame);
    if (decoded.kind !== 'packet')
      throw new Error(`packet ${event.number} is ${decoded.kind} to ${build.folder}`);
    return { ...event, packet: decoded.packet };
  });
}
