import type { QpAttr } from '../../spec/verbs.ts';
import type { QpChange } from '../device/listener.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import { afterCall } from '../path-migration/tables.ts';
import type { When } from '../spot.ts';
import type { RequesterEntry } from './entry.ts';
import { RequesterEvent } from './inputs.ts';
import { follow } from './migration.ts';
import type { Requester } from './requester.ts';
import type { RequesterState } from './state.ts';
import type { RequesterTables } from './tables.ts';

/** Software has given it more to send. */
export function posting({ work, attributes }: Requester, send: PostedSend): RequesterEntry {
  const { event, t } = work.add(send, attributes.pmtu);
  const apply = (state: RequesterState): void => state.machine.steps.posted({ queue: work }, state);
  return { kind: 'call', event, t, commutes: true, apply };
}

/** The other role has put the QP into ERR. */
export function failing({ event, t }: When): RequesterEntry {
  const apply = (state: RequesterState): void => state.machine.steps.responderFailed({}, state);
  return { kind: 'call', event, t, fails: true, apply };
}

/** ibv_modify_qp. */
export function modifying(
  requester: Requester,
  tables: RequesterTables,
  { attr, to }: QpChange,
  { event, t }: When,
): RequesterEntry {
  const { sq_psn, retry_cnt, rnr_retry } = attr;
  if (sq_psn !== undefined) requester.work.restart(sq_psn);
  if (to === 'RESET') requester.copies.clear();
  const counters = retry_cnt !== undefined || rnr_retry !== undefined;
  const apply = (state: RequesterState): void => {
    if (to === 'RESET') state.forget();
    if (to === 'ERR') state.causes = [];
    const seen = new RequesterEvent(requester, state, t, { call: { to, sqPsn: sq_psn, counters } });
    state.machine.steps.called(seen, state);
    takePaths(requester, tables, state, attr, event);
  };
  return { kind: 'call', event, t, fails: to === 'ERR', apply };
}

/** What the call says of the paths. */
function takePaths(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  attr: QpAttr,
  event: number,
): void {
  const { migration, move } = afterCall(tables.migration, state.migration, attr);
  if (move !== undefined) state.note([move.rule]);
  if (move?.word === 'migrates') follow(requester, state, move, event);
  else state.migration = migration;
}
