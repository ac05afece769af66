import { decodeSyndrome } from '../../spec/constants.ts';
import type { EventType } from '../../spec/verbs.ts';
import type { TraceEvent } from '../../oracle/index.ts';
import type { DriveResult } from '../../suites/index.ts';

/** What may upset a QP, in the order of the table. */
export const disturbances = [
  'lost',
  'wire fault',
  'damaged',
  'twice in',
  'twice out',
  'sequence NAK',
  'RNR NAK',
  'fatal NAK',
  'CNP',
  'RESET',
  'ERR',
  'SQD',
  'attributes',
  'migration',
  'dereg_mr',
  'SRQ limit',
  'link',
  'failed',
  'flushed',
  'QP event',
] as const;
export type Disturbance = (typeof disturbances)[number];

const modified: Readonly<Partial<Record<string, Disturbance>>> = { RESET: 'RESET', ERR: 'ERR', SQD: 'SQD' };

/** The disturbances of a trace in their order, in groups: between two of them everything was at rest. */
export function disturbancesOf({ events, wire }: DriveResult): Disturbance[][] {
  const groups: Disturbance[][] = [[]];
  const seen = new Set<string>();
  const running = new Set<number>();
  const marks = [...wire].toSorted((a, b) => a.t - b.t);
  const add = (what: Disturbance | undefined): void => {
    if (what !== undefined) groups.at(-1)?.push(what);
  };
  for (const event of events) {
    for (let mark = marks[0]; mark !== undefined && mark.t <= event.t; mark = marks[0]) {
      marks.shift();
      add(mark.fate.lost ? 'lost' : 'wire fault');
    }
    if (event.kind === 'settled') groups.push([]);
    else add(ofEvent(event, seen, running));
  }
  return groups.filter((group) => group.length > 0);
}

/** `seen`: requests so far; `running`: QPs that have been in RTS or RTR, which RESET then disturbs. */
function ofEvent(event: TraceEvent, seen: Set<string>, running: Set<number>): Disturbance | undefined {
  switch (event.kind) {
    case 'packet':
      return ofPacket(event, seen);
    case 'frame':
      return 'damaged';
    case 'link':
      return 'link';
    case 'completion': {
      const { status } = event.wc;
      if (status === 'IBV_WC_SUCCESS') return undefined;
      return status === 'IBV_WC_WR_FLUSH_ERR' ? 'flushed' : 'failed';
    }
    case 'async':
      return ofAsync(event.event.event_type);
    case 'call':
      return ofCall(event, running);
    case 'call-failed':
    case 'gid':
    case 'memory':
    case 'settled':
    case 'stall':
    case 'cq-event':
    case 'second-context':
    case 'rate':
    case 'hop':
    case 'gone':
    case 'gap':
      return undefined;
  }
}

function ofAsync(type: EventType): Disturbance {
  switch (type) {
    case 'IBV_EVENT_SRQ_LIMIT_REACHED':
      return 'SRQ limit';
    case 'IBV_EVENT_PATH_MIG':
      return 'migration';
    default:
      return 'QP event';
  }
}

function ofCall(event: Extract<TraceEvent, { kind: 'call' }>, running: Set<number>): Disturbance | undefined {
  if (event.call === 'dereg_mr') return 'dereg_mr';
  if (event.call !== 'modify_qp') return undefined;
  const state = event.attr.qp_state?.replace('IBV_QPS_', '');
  const before = running.has(event.qp);
  if (state === 'RTR') running.add(event.qp);
  if (!before) return undefined;
  if (state === 'RESET') running.delete(event.qp);
  return state === undefined ? 'attributes' : modified[state];
}

function ofPacket(
  { direction, packet }: Extract<TraceEvent, { kind: 'packet' }>,
  seen: Set<string>,
): Disturbance | undefined {
  const { info, aeth, destQp, psn } = packet;
  if (info?.kind === 'cnp') return 'CNP';
  if (!packet.icrcOk) return 'damaged';
  if (info?.kind === 'request') {
    const key = `${direction} ${destQp} ${psn}`;
    if (seen.has(key)) return direction === 'to-dut' ? 'twice in' : 'twice out';
    seen.add(key);
    return undefined;
  }
  if (aeth === undefined) return undefined;
  const { kind, value } = decodeSyndrome(aeth.syndrome);
  if (kind === 'rnr-nak') return 'RNR NAK';
  if (kind !== 'nak') return undefined;
  return value === 0 ? 'sequence NAK' : 'fatal NAK';
}
