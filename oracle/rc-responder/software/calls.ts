import type { QpChange } from '../../device/listener.ts';
import type { Qp } from '../../device/qp.ts';
import { afterCall } from '../../path-migration/tables.ts';
import type { MigrationTables } from '../../path-migration/tables.ts';
import type { When } from '../../spot.ts';
import type { Effects } from '../effects.ts';
import type { Entry } from '../entry.ts';
import type { ResponderState } from '../state.ts';
import { leaveUnbound } from '../words/memory.ts';

type Call = Entry & { kind: 'call' };

/** Receive WQEs were posted, or were on the SRQ already. */
export function posting(qp: Qp, effects: Effects, { event, t }: When): Call {
  const postedUntil = qp.posted.length;
  return {
    kind: 'call',
    event,
    t,
    posts: true,
    apply: (state) => {
      state.machine.step('posted')({ postedUntil }, state);
      if (state.qpState === 'ERR') effects.flushReceives(qp, state, event);
    },
  };
}

/** ibv_dereg_mr or ibv_rereg_mr. */
export function changingRegion({ event, t }: When): Call {
  const apply = (state: ResponderState): void => {
    state.changed = [...state.changed, event];
  };
  return { kind: 'call', event, t, apply };
}

/** ibv_modify_qp. */
export function modifying(
  qp: Qp,
  { effects, paths }: { effects: Effects; paths: MigrationTables },
  { attr, to }: QpChange,
  { event, t }: When,
): Call {
  const around = { onSrq: qp.srq !== undefined, postedUntil: qp.posted.length };
  const apply = (state: ResponderState): void => {
    state.migration = afterCall(paths, state.migration, attr).migration.settled;
    if (to === 'ERR') {
      effects.flushReceives(qp, state, event);
      state.giveUpReplies();
    }
    const { rq_psn, path_mtu } = attr;
    if (to === 'RESET') {
      state.leftEvent ||= state.machine.flag('awaitsEvent')({}, state);
      state.giveUpReplies();
    }
    state.machine.step('modified')({ ...around, attr: { rq_psn, path_mtu, qp_state: to } }, state);
    if (to !== 'RESET') return;
    leaveUnbound(qp, state);
    state.forget();
  };
  return { kind: 'call', event, t, apply };
}

/**
 * What fails the requester fails the QP, and with it the receive queue. `held`: the rate may have kept responses back, which then leave or
 * not.
 */
export function failing(qp: Qp, effects: Effects, { event, t }: When, held = false): Call {
  const apply = (state: ResponderState): void => {
    if (state.qpState !== 'ERR') effects.flushReceives(qp, state, event);
    if (held) state.excuseReplies();
    state.machine.step('requesterFailed')({}, state);
  };
  return { kind: 'call', event, t, apply };
}
