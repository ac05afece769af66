import type { QpAttr } from '../../../spec/verbs.ts';
import { DeviceDied, VerbsError } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { flushReceives } from '../device/flush.ts';
import { reset, type QueuePair } from '../device/qp.ts';
import { migrate, migrationAllowed, migrationState } from '../path-migration/migration.ts';
import { refusedByFault, spoiled } from './faults.ts';
import { taken } from './ranges.ts';
import { pathOf, sourcePort } from '../device/path.ts';
import { draining } from '../rc-requester/drain.ts';
import { schedule } from '../device/pump.ts';
import { transitionAllowed } from './transitions.ts';

const EINVAL = 22;
const EOPNOTSUPP = 95;

/** ibv_modify_qp; throws VerbsError and changes nothing where it is refused. */
export function modifyQp(device: Device, qp: QueuePair, asked: QpAttr): void {
  const { fault } = device;
  // Made only where it is thrown: a stack trace costs more than the whole call.
  const refused = (): VerbsError => {
    if (fault === 'refused-call-applied') keepParameters(qp, asked);
    return new VerbsError('modify_qp', fault === 'refused-as-unsupported' ? EOPNOTSUPP : EINVAL);
  };
  const from = qp.state;
  const to = asked.qp_state ?? from;
  const cut = taken(asked, device.config.outOfRange, fault);
  if (
    cut === undefined ||
    !transitionAllowed(qp.service, from, cut, fault) ||
    refusedByFault(fault, cut, from)
  )
    throw refused();
  if (!migrationAllowed(device, qp, cut)) throw refused();
  const attr = spoiled(fault, cut, qp.attr);
  const armed = migrationState(qp) === 'IBV_MIG_ARMED';
  if (from === 'IBV_QPS_SQD' && to !== 'IBV_QPS_ERR' && to !== 'IBV_QPS_RESET' && draining(qp))
    throw refused();
  const remote = attr.ah_attr === undefined ? undefined : pathOf(attr.ah_attr);
  if (attr.ah_attr !== undefined && remote === undefined) throw refused();
  if (to === 'IBV_QPS_RESET') {
    if (from === 'IBV_QPS_ERR' && fault === 'dies-of-reset')
      throw new DeviceDied('its firmware stops with an assertion');
    reset(device, qp);
    return;
  }
  if (to === 'IBV_QPS_ERR') {
    device.fail(qp);
    return;
  }
  const kept = copyOf(attr);
  if ('cur_qp_state' in kept) delete kept.cur_qp_state;
  const migrates =
    armed && attr.path_mig_state === 'IBV_MIG_MIGRATED' && device.fault !== 'migration-call-ignored';
  if (armed && !migrates) delete kept.path_mig_state;
  Object.assign(qp.attr, kept);
  qp.attr.qp_state = to;
  qp.state = to;
  if (attr.qp_access_flags !== undefined) qp.access = [...attr.qp_access_flags];
  if (attr.path_mtu !== undefined) qp.mtu = attr.path_mtu;
  if (attr.dest_qp_num !== undefined) {
    qp.destQp = attr.dest_qp_num;
    qp.srcPort = sourcePort(qp.num, attr.dest_qp_num);
  }
  if (remote !== undefined) qp.remote = remote;
  if (attr.rq_psn !== undefined) qp.responder.epsn = attr.rq_psn;
  const q = qp.requester;
  if (attr.sq_psn !== undefined) q.una = q.next = q.end = attr.sq_psn;
  if (attr.retry_cnt !== undefined) q.retriesLeft = attr.retry_cnt;
  if (attr.rnr_retry !== undefined) q.rnrLeft = attr.rnr_retry;
  if (device.fault === 'msn-starts-at-one' && to === 'IBV_QPS_RTR') qp.responder.msn = 1;
  if (to === 'IBV_QPS_SQD' && from !== 'IBV_QPS_SQD') {
    q.drainNotified = false;
    if (fault === 'flush-unprompted') flushReceives(device, qp);
  }
  if (to === 'IBV_QPS_RTS' || to === 'IBV_QPS_SQD') schedule(device, qp);
  if (migrates) migrate(device, qp);
}

/** The fault of a device that changes first and looks at the transition then. */
function keepParameters(qp: QueuePair, { timeout, retry_cnt, rnr_retry, min_rnr_timer }: QpAttr): void {
  if (timeout !== undefined) qp.attr.timeout = timeout & 31;
  if (retry_cnt !== undefined) qp.attr.retry_cnt = retry_cnt & 7;
  if (rnr_retry !== undefined) qp.attr.rnr_retry = rnr_retry & 7;
  if (min_rnr_timer !== undefined) qp.attr.min_rnr_timer = min_rnr_timer & 31;
}

/** Attributes that share nothing with those given. */
export function copyOf(attr: QpAttr): QpAttr {
  const copy = { ...attr };
  if (attr.qp_access_flags !== undefined) copy.qp_access_flags = [...attr.qp_access_flags];
  if (attr.ah_attr !== undefined) copy.ah_attr = { ...attr.ah_attr };
  if (attr.alt_ah_attr !== undefined) copy.alt_ah_attr = { ...attr.alt_ah_attr };
  return copy;
}
