import type { QpAttr, QpState } from '../../../spec/verbs.ts';
import { VerbsError } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { pathOf, sourcePort } from '../device/path.ts';
import { called } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { reset } from '../device/reset.ts';
import { migrate, migrationAllowed, migrationState } from '../path-migration/migration.ts';
import { draining } from '../rc-requester/drain.ts';
import { seam, type Varied } from '../seam.ts';
import { taken } from './ranges.ts';
import { transitionAllowed } from './transitions.ts';

const EINVAL = 22;

/** ibv_modify_qp; throws VerbsError and changes nothing where it is refused. */
export function modifyQp(device: Device, qp: QueuePair, asked: QpAttr): void {
  const attr = accepted(device, qp, asked);
  if (attr === undefined) throw refusal(device, qp, asked);
  const to = asked.qp_state ?? qp.state;
  if (to === 'IBV_QPS_RESET') reset(device, qp);
  else if (to === 'IBV_QPS_ERR') toError(device, qp);
  else change(device, qp, to, attr);
}

/** Software takes a QP to ERR. */
export const toError = seam((device: Device, qp: QueuePair): void => device.fail(qp));

/** What the QP keeps of attributes; `undefined` where the device refuses them. */
function accepted(device: Device, qp: QueuePair, asked: QpAttr): QpAttr | undefined {
  const from = qp.state;
  const to = asked.qp_state ?? from;
  const given = taken(device, asked);
  if (given === undefined || !transitionAllowed(device, qp.service, from, given)) return undefined;
  if (!migrationAllowed(device, qp, given)) return undefined;
  const attr = toKeep(device, given, qp.attr);
  const leaves = to !== 'IBV_QPS_ERR' && to !== 'IBV_QPS_RESET';
  if (from === 'IBV_QPS_SQD' && leaves && draining(qp)) return undefined;
  return attr.ah_attr === undefined || pathOf(attr.ah_attr) !== undefined ? attr : undefined;
}

/** Made only where it is thrown: a stack trace costs more than the whole call. */
export const refusal = seam(
  (_device: Device, _qp: QueuePair, _asked: QpAttr): VerbsError => new VerbsError('modify_qp', EINVAL),
);

/** What a QP keeps of attributes that it may take; `before`: those that it had. */
export const toKeep = seam((_device: Varied, attr: QpAttr, _before: QpAttr): QpAttr => attr);

function change(device: Device, qp: QueuePair, to: QpState, attr: QpAttr): void {
  const from = qp.state;
  const kept = copyOf(attr);
  if ('cur_qp_state' in kept) delete kept.cur_qp_state;
  const armed = migrationState(qp) === 'IBV_MIG_ARMED';
  const migrates = armed && migratesByCall(device, attr);
  if (armed && !migrates) delete kept.path_mig_state;
  Object.assign(qp.attr, kept);
  qp.attr.qp_state = to;
  qp.state = to;
  apply(device, qp, attr);
  if (to === 'IBV_QPS_SQD' && from !== 'IBV_QPS_SQD') enterSqd(device, qp);
  if (to === 'IBV_QPS_RTS' || to === 'IBV_QPS_SQD') called(device, qp);
  if (migrates) migrate(device, qp);
}

/** Whether software makes an armed QP migrate. */
export const migratesByCall = seam(
  (_device: Varied, attr: QpAttr): boolean => attr.path_mig_state === 'IBV_MIG_MIGRATED',
);

/** Attributes that the roles of a QP use take effect. */
export const apply = seam((device: Device, qp: QueuePair, attr: QpAttr): void => {
  if (attr.qp_access_flags !== undefined) qp.access = [...attr.qp_access_flags];
  if (attr.path_mtu !== undefined) qp.mtu = attr.path_mtu;
  if (attr.dest_qp_num !== undefined) {
    qp.destQp = attr.dest_qp_num;
    qp.srcPort = sourcePort(qp.num, attr.dest_qp_num);
  }
  if (attr.ah_attr !== undefined) qp.remote = pathOf(attr.ah_attr);
  if (attr.rq_psn !== undefined) qp.responder.epsn = attr.rq_psn;
  const q = qp.requester;
  if (attr.sq_psn !== undefined) q.una = q.next = q.end = attr.sq_psn;
  fillCounters(device, qp, attr);
});

/** Retries that software sets are all there. */
export const fillCounters = seam((_device: Device, { requester: q }: QueuePair, attr: QpAttr): void => {
  if (attr.retry_cnt !== undefined) q.retriesLeft = attr.retry_cnt;
  if (attr.rnr_retry !== undefined) q.rnrLeft = attr.rnr_retry;
});

export const enterSqd = seam((_device: Device, qp: QueuePair): void => {
  qp.requester.drainNotified = false;
});

/** Attributes that share nothing with those given. */
export function copyOf(attr: QpAttr): QpAttr {
  const copy = { ...attr };
  if (attr.qp_access_flags !== undefined) copy.qp_access_flags = [...attr.qp_access_flags];
  if (attr.ah_attr !== undefined) copy.ah_attr = { ...attr.ah_attr };
  if (attr.alt_ah_attr !== undefined) {
    copy.alt_ah_attr = { ...attr.alt_ah_attr };
    // an alternate path is set as a whole, as ibv_modify_qp has it: its timer code is 0 where none is given
    copy.alt_timeout = attr.alt_timeout ?? 0;
  }
  return copy;
}
