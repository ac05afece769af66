import type { TraceEvent, TraceHeader } from '../../../oracle/index.ts';
import { inserted, type RecordedTrace, type View } from './view.ts';

/** What `check` judges a capture by. */
export const captureHeader: TraceHeader = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' };

/** What a capture in the middle of the path would show. */
function capture({ events }: RecordedTrace): RecordedTrace | undefined {
  const packets = events.flatMap((event): TraceEvent[] =>
    event.kind === 'packet' ? [{ ...event, direction: 'unknown' }] : [],
  );
  return packets.length === 0 ? undefined : { header: captureHeader, events: packets };
}

function lossy(trace: RecordedTrace): RecordedTrace | undefined {
  const seen = capture(trace);
  return seen && { ...seen, events: seen.events.filter((_, i) => i % 5 !== 3) };
}

function stalled({ header, events }: RecordedTrace): RecordedTrace | undefined {
  const at = Math.floor(events.length * 0.3);
  const [from, until] = [events[at]?.t, events[Math.floor(events.length * 0.7)]?.t];
  if (from === undefined || until === undefined || until <= from) return undefined;
  const timing = { responseTime: header.timing?.responseTime ?? 20_000, jitter: 5000 };
  const stall: TraceEvent = { kind: 'stall', t: from, until };
  return {
    header: { ...header, clock: 'real', timing },
    events: [...events.slice(0, at), stall, ...events.slice(at)],
  };
}

/** A recorder whose clock jitters, and nothing else. */
const jittery: View = ({ header, events }) => ({
  header: { ...header, clock: 'real', timing: { responseTime: 200_000, jitter: 50_000 } },
  events,
});

const undeclared: View = ({ header: { sight, clock, dut }, events }) => ({
  header: { sight, clock, ...(dut && { dut }) },
  events,
});

/** A device that does not tell of its rates. */
const silentRates: View = ({ header, events }) => {
  const rest = events.filter(({ kind }) => kind !== 'rate');
  if (rest.length === events.length) return undefined;
  const capabilities = header.capabilities?.filter((word) => word !== 'rate-reports') ?? [];
  return { header: { ...header, capabilities }, events: rest };
};

/** A device that reports its rates, but not how it comes to them. */
const coarseRates: View = ({ header, events }) => {
  const { congestion } = header;
  if (congestion === undefined || !events.some(({ kind }) => kind === 'rate')) return undefined;
  const { lineRate, cnp } = congestion;
  return { header: { ...header, congestion: { lineRate, cnp } }, events };
};

const undirected: View = ({ header, events }) => ({
  header,
  events: events.map((event) => (event.kind === 'packet' ? { ...event, direction: 'unknown' } : event)),
});

/** The calls at the device, and packets from somewhere on the path. */
const midPath: View = ({ header, events }) => ({
  header: { ...header, sight: { packets: 'mid-path', verbs: true } },
  events,
});

const unseen: View = ({ header, events }) => ({
  header: { ...header, sight: { packets: 'none', verbs: true } },
  events: events.filter(({ kind }) => kind !== 'packet' && kind !== 'frame'),
});

/** Traces of other recorders, that see and know less. */
export const recorders: Readonly<Record<string, View>> = {
  capture,
  'capture with loss': lossy,
  'cut short': ({ header, events }) => ({ header, events: events.slice(0, Math.ceil(events.length * 0.6)) }),
  'lost sight': inserted(0.5, (t) => ({ kind: 'gap', t, reason: 'the recorder lost sight' })),
  stalled,
  jittery,
  undeclared,
  'silent rates': silentRates,
  'coarse rates': coarseRates,
  undirected,
  'calls and mid-path': midPath,
  'packets unseen': unseen,
};
