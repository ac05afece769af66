import { migState, qpState } from '../../../spec/constants.ts';
import type { QpAttr } from '../../../spec/verbs.ts';
import type { TraceEvent, TraceHeader } from '../../../oracle/index.ts';
import type { Draw } from '../random.ts';
import { another, leavesOf, withLeaf, withoutLeaf, type Leaf } from './leaves.ts';
import { changed, dataOf, fixed, keyOf, namedBy, otherOutcome, put, relocated } from './nudged.ts';
import { at } from './times.ts';
import type { RecordedTrace, Wire } from './view.ts';

/** What an event is called: rare ones are to be changed as often as those of which there are many. */
function labelOf(event: TraceEvent): string {
  switch (event.kind) {
    case 'packet':
      return `${event.direction} ${event.packet.opcode} ${(event.packet.aeth?.syndrome ?? 0) >> 5}`;
    case 'call':
    case 'call-failed':
      return `${event.kind} ${event.call}`;
    case 'completion':
      return `${event.kind} ${event.wc.status}`;
    case 'async':
    case 'second-context':
      return `${event.kind} ${event.event.event_type}`;
    case 'rate':
      return `${event.kind} ${event.record.cause}`;
    case 'link':
    case 'gid':
    case 'cq-event':
    case 'hop':
    case 'frame':
    case 'memory':
    case 'settled':
    case 'stall':
    case 'gone':
    case 'gap':
      return event.kind;
  }
}

/** What ibv_modify_qp may be given besides. */
const attributes: Readonly<Record<string, readonly Leaf['value'][]>> = {
  qp_state: Object.keys(qpState.numbers),
  cur_qp_state: Object.keys(qpState.numbers),
  path_mig_state: Object.keys(migState.numbers),
  en_sqd_async_notify: [true, false],
  path_mtu: [256, 512, 1024, 2048, 4096],
  timeout: [0, 1, 2, 8, 14, 31],
  alt_timeout: [0, 1, 2, 8, 14, 31],
  retry_cnt: [0, 1, 2, 7, 8],
  rnr_retry: [0, 1, 2, 7, 8],
  min_rnr_timer: [0, 1, 12, 31, 32],
  max_rd_atomic: [0, 1, 2, 16, 17, 255],
  max_dest_rd_atomic: [0, 1, 2, 16, 17, 255],
  rq_psn: [0, 1, 0xff_ffff, 0x100_0000],
  sq_psn: [0, 1, 0xff_ffff, 0x100_0000],
  dest_qp_num: [0, 1, 0xff_ffff, 0x100_0000],
  pkey_index: [0, 1],
  port_num: [0, 1, 2],
  qkey: [0, 0x1111_1111, 0x8000_0000],
};

/** Another value for a leaf: one that its key allows, or that the same key has elsewhere. */
function valueFor({ path, value }: Leaf, like: readonly unknown[], draw: Draw): Leaf['value'] {
  const key = keyOf({ path, value });
  const elsewhere = like
    .flatMap((data) => [...leavesOf(data)])
    .filter((leaf) => keyOf(leaf) === key)
    .map((leaf) => leaf.value);
  if (typeof value === 'number' && draw.below(3) === 0) return draw.below(10);
  return another(value, [...elsewhere, ...namedBy(key), ...(attributes[key] ?? [])], draw);
}

/** Another value by one key, in one event or in all of its kind that have the same one. */
function edited(trace: RecordedTrace, places: readonly number[], wire: Wire, draw: Draw): RecordedTrace {
  const { header, events } = trace;
  const place = draw.of(places) ?? 0;
  const event = events[place];
  if (event === undefined) return trace;
  const leaves = [...leavesOf(dataOf(event))].filter(({ path }) => !path.some((key) => fixed.has(key)));
  const key = draw.of([...new Set(leaves.map(keyOf))]);
  const leaf = draw.of(leaves.filter((one) => keyOf(one) === key));
  if (leaf === undefined) return trace;
  const like = events.filter(({ kind }) => kind === event.kind).map(dataOf);
  const gone = draw.below(10) === 0;
  const value = valueFor(leaf, like, draw);
  const path = leaf.path.join('.');
  const everywhere = draw.below(4) === 0;
  return {
    header,
    events: events.flatMap((other, i) => {
      if (i !== place && !(everywhere && places.includes(i))) return [other];
      const data = dataOf(other);
      const same = [...leavesOf(data)].some((one) => one.path.join('.') === path && one.value === leaf.value);
      if (!same) return [other];
      return put(other, gone ? withoutLeaf(data, leaf.path) : withLeaf(data, leaf.path, value), wire);
    }),
  };
}

/** One more attribute for a call of ibv_modify_qp. */
function attributeOf(events: readonly TraceEvent[], draw: Draw): QpAttr {
  const key = draw.of([...Object.keys(attributes), 'ah_attr', 'alt_ah_attr']) ?? '';
  const value = draw.of(attributes[key] ?? []);
  if (value !== undefined) return { [key]: value };
  const path = draw.of(
    events.flatMap((event) => {
      if (event.kind !== 'call' || event.call !== 'modify_qp') return [];
      return [event.attr.ah_attr ?? [], event.attr.alt_ah_attr ?? []].flat();
    }),
  );
  return path === undefined ? {} : { [key]: path };
}

/** ibv_modify_qp is given one attribute more, or is called once more with one or two alone. */
function given(trace: RecordedTrace, draw: Draw): RecordedTrace {
  const { header, events } = trace;
  const places = events.flatMap((event, i) =>
    event.kind === 'call' && event.call === 'modify_qp' ? [i] : [],
  );
  const place = draw.of(places) ?? -1;
  const event = events[place];
  if (event?.kind !== 'call' || event.call !== 'modify_qp') return trace;
  const attr = attributeOf(events, draw);
  if (draw.below(2) === 0)
    return { header, events: events.with(place, { ...event, attr: { ...event.attr, ...attr } }) };
  const later = place + 1 + draw.below(events.length - place);
  const more = draw.below(3) === 0 ? attributeOf(events, draw) : {};
  const call = at({ ...event, attr: { ...attr, ...more } }, events[later - 1]?.t ?? 0);
  return { header, events: events.toSpliced(later, 0, call) };
}

/** A CQ has room for about as many completions as came to it until some moment; at times those that came next are missing. */
function tight(trace: RecordedTrace, draw: Draw): RecordedTrace {
  const { header, events } = trace;
  const made = draw.of(
    events.flatMap((event, i) => (event.kind === 'call' && event.call === 'create_cq' ? [i] : [])),
  );
  const event = events[made ?? -1];
  if (event?.kind !== 'call' || event.call !== 'create_cq') return trace;
  const { cq } = event;
  const came = events.flatMap((one, i) => (one.kind === 'completion' && one.cq === cq ? [i] : []));
  const last = draw.below(came.length + 1);
  const cqe = Math.max(1, last + draw.below(3) - 1);
  const from = came[last] ?? events.length;
  const missing = draw.below(4);
  const gone = missing < 2 ? new Set(came.slice(last, missing === 0 ? last + 1 : undefined)) : new Set();
  // a last one that all come with, at one moment
  const together = draw.below(3) === 0 ? new Set(came.slice(0, last)) : new Set();
  const kept = events.flatMap((one, i): TraceEvent[] => {
    if (i === made) return [{ ...event, cqe }];
    return gone.has(i) || together.has(i) ? [] : [one];
  });
  if (together.size === 0) return { header, events: kept };
  const place = kept.findIndex((one) => one === events[from]);
  const moved = came.slice(0, last).flatMap((i) => {
    const one = events[i];
    return one?.kind === 'completion' ? [one] : [];
  });
  const t = place < 0 ? (kept.at(-1)?.t ?? 0) : (kept[place - 1]?.t ?? 0);
  const stamped = moved.map((one) => ({ ...one, t }));
  return { header, events: place < 0 ? [...kept, ...stamped] : kept.toSpliced(place, 0, ...stamped) };
}

/** Something that concerns the device as a whole. */
function ended(trace: RecordedTrace, draw: Draw): RecordedTrace {
  const { header, events } = trace;
  const place = draw.below(events.length);
  const t = events[place]?.t ?? 0;
  const before = events.slice(0, place);
  const happened: TraceEvent[][] = [
    [{ kind: 'gone', t, reason: 'it answers no more' }],
    [
      { kind: 'settled', t },
      { kind: 'gone', t, reason: 'it answers no more' },
    ],
    [{ kind: 'settled', t }, ...events.slice(place)],
    [{ kind: 'gap', t, reason: 'the recorder lost sight' }, ...events.slice(place)],
    [{ kind: 'stall', t, until: events.at(-1)?.t ?? t }, ...events.slice(place)],
    [{ kind: 'settled', t: t + 1_000_000_000 }],
  ];
  return { header, events: [...before, ...(draw.of(happened) ?? [])] };
}

/** The header without one of its parts, or without one capability. */
function untold({ header, events }: RecordedTrace, draw: Draw): RecordedTrace {
  const { capabilities = [] } = header;
  const part = draw.of([
    'capabilities',
    'dut',
    'limits',
    'congestion',
    'outOfOrder',
    'timing',
    'path',
  ] as const);
  if (part === undefined) return { header, events };
  if (draw.below(2) === 0) {
    const word = draw.of(capabilities);
    return { header: { ...header, capabilities: capabilities.filter((one) => one !== word) }, events };
  }
  const { [part]: _told, ...rest }: TraceHeader = header;
  return { header: rest, events };
}

function pick(trace: RecordedTrace, wire: Wire, draw: Draw): RecordedTrace {
  const { header, events } = trace;
  const labels = new Map<string, number[]>();
  for (const [i, event] of events.entries()) {
    const label = labelOf(event);
    labels.set(label, [...(labels.get(label) ?? []), i]);
  }
  const places = labels.get(draw.of([...labels.keys()]) ?? '') ?? [];
  const place = draw.of(places) ?? 0;
  const event = events[place];
  if (event === undefined) return trace;
  switch (draw.below(16)) {
    case 0:
      return { header, events: events.toSpliced(place, 1) };
    case 1:
      // none of them from here on, or until here
      return draw.below(2) === 0
        ? { header, events: events.filter((_, i) => i < place || !places.includes(i)) }
        : { header, events: events.filter((_, i) => i > place || !places.includes(i)) };
    case 2:
      return { header, events: events.toSpliced(place, 0, event) };
    case 3:
    case 4:
      return { header, events: relocated(events, place, draw.below(events.length)) };
    case 5:
      return given(trace, draw);
    case 6:
      return ended(trace, draw);
    case 7:
      return untold(trace, draw);
    case 8:
      return { header, events: events.toSpliced(place, 1, ...otherOutcome(event, draw)) };
    case 9:
      return tight(trace, draw);
    default:
      return edited(trace, places, wire, draw);
  }
}

/**
 * A trace in which one to three things happened otherwise, such that what is rare in it is changed as often as what there is much of.
 * Which, is a matter of `number`. Undefined where that makes no trace.
 */
export function picked(trace: RecordedTrace, number: number, wire: Wire): RecordedTrace | undefined {
  return changed(trace, number, (made, draw) => pick(made, wire, draw));
}
