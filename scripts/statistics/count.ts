import type { TraceEvent } from '../../oracle/index.ts';
import type { DriveResult } from '../../suites/index.ts';
import { disturbancesOf, type Disturbance } from './disturbances.ts';
import { Phases, type Phase } from './phases.ts';

/** What the cases of a run add up to. */
export interface Counts {
  cases: number;
  /** cases by the property that they are of */
  properties: Map<string, number>;
  /** cases by how many QPs the device had */
  qps: Map<number, number>;
  /** calls by what they are, and by the phase in which they were made */
  calls: Map<string, Map<Phase, number>>;
  /** cases in which the second came after the first, without rest between them */
  pairs: Map<Disturbance, Map<Disturbance, number>>;
}

export function noCounts(): Counts {
  return { cases: 0, properties: new Map(), qps: new Map(), calls: new Map(), pairs: new Map() };
}

const bump = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

function within<A, B>(all: Map<A, Map<B, number>>, key: A): Map<B, number> {
  const own = all.get(key) ?? new Map<B, number>();
  all.set(key, own);
  return own;
}

/** A call by name, the QP that it is about, if one; undefined where it neither changes nor asks anything. */
function callOf(event: TraceEvent): { name: string; qp?: number } | undefined {
  if (event.kind === 'link') return { name: `link ${event.up ? 'up' : 'down'}` };
  if (event.kind === 'gid') return { name: `address ${event.present ? 'added' : 'removed'}` };
  if (event.kind !== 'call') return undefined;
  switch (event.call) {
    case 'modify_qp': {
      const state = event.attr.qp_state?.replace('IBV_QPS_', '') ?? 'attributes';
      return { name: `modify_qp ${state}`, qp: event.qp };
    }
    case 'post_send':
    case 'post_recv':
    case 'query_qp':
    case 'destroy_qp':
      return { name: event.call, qp: event.qp };
    case 'req_notify_cq':
    case 'resize_cq':
    case 'destroy_cq':
    case 'destroy_srq':
    case 'dealloc_pd':
    case 'post_srq_recv':
    case 'modify_srq':
    case 'query_srq':
    case 'dereg_mr':
    case 'rereg_mr':
    case 'dealloc_mw':
      return { name: event.call };
    case 'reg_mr':
    case 'alloc_mw':
    case 'write_memory':
    case 'create_cq':
    case 'create_srq':
    case 'create_ah':
    case 'create_qp':
    case 'query_port':
    case 'query_gid':
    case 'query_pkey':
    case 'query_device':
      return undefined;
  }
}

/** Adds one case of a property. */
export function count(counts: Counts, property: string, drive: DriveResult): void {
  counts.cases++;
  bump(counts.properties, property);
  const made = drive.events.filter((event) => event.kind === 'call' && event.call === 'create_qp').length;
  bump(counts.qps, made);
  const following = new Phases();
  for (const event of drive.events) {
    const call = callOf(event);
    const phase = call === undefined ? undefined : following.of(call.qp);
    if (call !== undefined && phase !== undefined) bump(within(counts.calls, call.name), phase);
    following.see(event);
  }
  const met = new Set<string>();
  for (const group of disturbancesOf(drive)) {
    const later = new Set<Disturbance>();
    for (const first of group.toReversed()) {
      for (const second of later) {
        const pair = `${first}, then ${second}`;
        if (!met.has(pair)) bump(within(counts.pairs, first), second);
        met.add(pair);
      }
      later.add(first);
    }
  }
}
