import type { QpAttr } from '../../spec/verbs.ts';
import type { QpChange } from '../device/listener.ts';
import type { PostedSend } from '../device/posted-send.ts';
import { afterCall } from '../path-migration/migration.ts';
import type { When } from '../spot.ts';
import type { RequesterEntry } from './entry.ts';
import { follow } from './migration.ts';
import { full } from './requester.ts';
import type { Requester, RequesterTables } from './requester.ts';
import { RequesterState } from './state.ts';

/** Software has given it more to send. */
export function posting({ work, attributes }: Requester, send: PostedSend): RequesterEntry {
  const { index, event, t } = work.add(send, attributes.pmtu);
  return { kind: 'call', event, t, commutes: true, apply: (state) => void (state.tail = index + 1) };
}

/** ibv_modify_qp. */
export function modifying(
  requester: Requester,
  tables: RequesterTables,
  { attr, to }: QpChange,
  { event, t }: When,
): RequesterEntry {
  if (attr.sq_psn !== undefined) requester.work.restart(attr.sq_psn);
  const apply = (state: RequesterState): void => {
    if (to !== undefined) {
      if (to === 'RESET') reset(requester, state);
      state.qpState = to;
      state.softwareState = to;
      if (to === 'ERR') state.licences = [];
    }
    if (attr.sq_psn !== undefined) state.una = state.end = state.cursor = attr.sq_psn;
    if (attr.sq_psn !== undefined || attr.retry_cnt !== undefined || attr.rnr_retry !== undefined)
      reload(requester, state);
    takePaths(requester, tables, state, attr, event);
  };
  return { kind: 'call', event, t, apply };
}

function reset({ work }: Requester, state: RequesterState): void {
  const fresh = new RequesterState();
  fresh.memory = state.memory;
  fresh.landed = state.landed;
  fresh.applied = state.applied;
  fresh.head = fresh.tail = fresh.reported = work.length;
  Object.assign(state, fresh);
}

function reload({ attributes }: Requester, state: RequesterState): void {
  state.retries = full(attributes.retryCnt);
  state.rnrRetries = full(attributes.rnrRetry);
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
