import type { RegisteredMr, Verbs } from '../../../adapters/adapter.ts';
import type { MwType } from '../../../spec/verbs.ts';
import type { QpPlan, Role } from '../../scenario.ts';
import type { Buffers } from './buffers.ts';

/** A memory window that a step has asked for; `rkey`: the key that it has, or is to have; `former`: the one before. */
export interface Window {
  readonly mw: number;
  readonly type: MwType;
  rkey: number;
  former: number;
  gone: boolean;
}

/** The objects that one end of a scenario has at its device. */
export interface End {
  verbs: Verbs;
  role: Role;
  /** it belongs to the device under test */
  ofDut: boolean;
  plan: QpPlan;
  pds: number[];
  /** CQs of its QP; those that the send and the receive queue complete to are the first and the last */
  cqs: number[];
  sendCq: number;
  srq: number | undefined;
  qp: number;
  qpNum: number;
  /** responder: what requests aim at, by index of the plan */
  regions: RegisteredMr[];
  deregistered: Set<number>;
  /** regions of which ibv_rereg_mr was refused, and lengths of those that it has moved */
  doubtful: Set<number>;
  lengths: Map<number, number>;
  /** regions as they were before they were changed, by index */
  former: Map<number, RegisteredMr>;
  /** a step has destroyed its QP */
  gone: boolean;
  /** those that steps have asked for besides */
  extraRegions: number[];
  windows: Window[];
  /** memory of its work requests */
  sends: Buffers;
  receives: Buffers;
  /** work requests posted so far */
  posted: { send: number; receive: number };
  /** added to the ids of its work requests, so that no two QPs of a scenario have the same */
  firstId: number;
  /** UD: address handles, by `handleOf` */
  handles: Map<string, number>;
}

/**
 * Gives back everything an end has. Errors are left aside: the device may be in any state by now, and what is common goes with the
 * last end that has it.
 */
export async function destroyEnd(end: End): Promise<void> {
  const { verbs } = end;
  const quietly = async (work: Promise<void> | undefined): Promise<void> => {
    await work?.catch(() => undefined);
  };
  // a window holds on to the QP by which it was bound
  for (const { mw, gone } of end.windows) if (!gone) await quietly(verbs.dealloc_mw?.(mw));
  if (!end.gone) await quietly(verbs.destroy_qp(end.qp));
  for (const ah of end.handles.values()) await quietly(verbs.destroy_ah?.(ah));
  if (end.srq !== undefined) await quietly(verbs.destroy_srq(end.srq));
  for (const cq of end.cqs) await quietly(verbs.destroy_cq(cq));
  for (const mr of end.extraRegions) await quietly(verbs.dereg_mr(mr));
  for (const [i, region] of end.regions.entries()) {
    if (!end.deregistered.has(i)) await quietly(verbs.dereg_mr(region.mr));
  }
  for (const region of [...end.sends.regions, ...end.receives.regions]) {
    if (region.deregistered !== true) await quietly(verbs.dereg_mr(region.mr));
  }
  for (const pd of end.pds) await quietly(verbs.dealloc_pd(pd));
}

/** The PD of the QP of an end, or another, which is made where there is none yet. */
export async function pdOf({ verbs, pds }: End, owner: 'own' | 'foreign'): Promise<number> {
  const [own = 0] = pds;
  if (owner === 'own') return own;
  if (pds.length === 1) pds.push(await verbs.alloc_pd());
  return pds[1] ?? own;
}
