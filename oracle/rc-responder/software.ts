import type { QpChange } from '../device/listener.ts';
import type { Qp } from '../device/qp.ts';
import { afterCall } from '../path-migration/migration.ts';
import type { MigrationTables } from '../path-migration/migration.ts';
import type { When } from '../spot.ts';
import type { Effects } from './effects.ts';
import type { Entry } from './entry.ts';
import { ResponderState } from './state.ts';

type Call = Entry & { kind: 'call' };

/** Receive WQEs were posted, or stood on the SRQ already. */
export function posting(qp: Qp, effects: Effects, { event, t }: When): Call {
  const end = qp.posted.length;
  return {
    kind: 'call',
    event,
    t,
    posts: true,
    apply: (state) => {
      state.rqTail = end;
      if (state.qpState === 'ERR') effects.flushReceives(qp, state, event);
    },
  };
}

/** ibv_modify_qp. */
export function modifying(
  qp: Qp,
  { effects, paths }: { effects: Effects; paths: MigrationTables },
  { attr, to }: QpChange,
  { event, t }: When,
): Call {
  const apply = (state: ResponderState): void => {
    if (attr.path_mtu !== undefined) state.pmtu = attr.path_mtu;
    if (attr.rq_psn !== undefined) state.ePsn = attr.rq_psn;
    state.migration = afterCall(paths, state.migration, attr).migration;
    if (to === undefined) return;
    if (to === 'RESET') reset(qp, state);
    state.qpState = to;
    state.softwareState = to;
    if (to === 'INIT') state.msnBase = 0;
    if (to === 'ERR') fail(qp, effects, state, event);
  };
  return { kind: 'call', event, t, apply };
}

/** What fails the requester fails the QP, and with it the receive queue. */
export function failing(qp: Qp, effects: Effects, { event, t }: When): Call {
  const apply = (state: ResponderState): void => {
    if (state.qpState === 'ERR') return;
    state.qpState = 'ERR';
    state.softwareState = 'ERR';
    fail(qp, effects, state, event);
  };
  return { kind: 'call', event, t, apply };
}

function fail(qp: Qp, effects: Effects, state: ResponderState, event: number): void {
  effects.flushReceives(qp, state, event);
  state.message = 'none';
}

/** The QP forgets everything, the WQEs of its own receive queue included. */
function reset({ posted, srq }: Qp, state: ResponderState): void {
  const fresh = new ResponderState();
  fresh.memory = state.memory;
  fresh.callsApplied = state.callsApplied;
  fresh.rqTail = posted.length;
  fresh.rqHead = srq === undefined ? fresh.rqTail : state.rqHead;
  Object.assign(state, fresh);
}
